import type { BitSet } from './messages.ts';
import { stpStates, type PortState } from './names.ts';

/** Names of the bits of a field, from the lowest. */
export class BitNames<N extends string> {
  private readonly places: ReadonlyMap<string, number>;
  private readonly all: readonly (N | `bit${number}`)[];

  constructor(names: readonly N[]) {
    this.all = Array.from({ length: 32 }, (_, place) => names[place] ?? (`bit${place}` as const));
    this.places = new Map(this.all.map((name, place) => [name, place]));
  }

  namesOf(bits: number): (N | `bit${number}`)[] {
    const names: (N | `bit${number}`)[] = [];
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      names.push(this.all[31 - Math.clz32(rest & -rest)] as N);
    }
    return names;
  }

  /** The number of these bits; -1 if one of the names is unknown. */
  bitsOf(names: BitSet<N>): number {
    let bits = 0;
    for (const name of names) {
      const place = this.places.get(name);
      if (place === undefined) return -1;
      bits |= 1 << place;
    }
    return bits >>> 0;
  }
}

const STP_SHIFT = 8;
const STP_MASK = 3 << STP_SHIFT;

const plainStates = new BitNames(['link_down']);

/** The bits of a port's state, two of which are one number. */
export const portStates = {
  namesOf(bits: number): (PortState | `bit${number}`)[] {
    const stp = (bits & STP_MASK) >>> STP_SHIFT;
    const low = plainStates.namesOf(bits & 0xff);
    const high = plainStates.namesOf((bits & ~(STP_MASK | 0xff)) >>> 0);
    return stp === 0 ? [...low, ...high] : [...low, stpStates[stp - 1] as PortState, ...high];
  },

  bitsOf(names: BitSet<PortState>): number {
    let bits = 0;
    for (const name of names) {
      const stp = stpStates.indexOf(name as (typeof stpStates)[number]) + 1;
      const part = stp > 0 ? stp << STP_SHIFT : plainStates.bitsOf([name as 'link_down']);
      // The two bits have no names of their own, and hold one number.
      const isTwice = stp > 0 && (bits & STP_MASK) !== 0;
      if (part === -1 || isTwice || (stp === 0 && (part & STP_MASK) !== 0)) return -1;
      bits |= part;
    }
    return bits >>> 0;
  },
};
