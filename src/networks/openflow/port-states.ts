import { BitNames } from '../bytes/bit-names.ts';
import type { SetBits } from '../bytes/data.ts';
import { stpStates, type PortState } from './names.ts';

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

  bitsOf(names: SetBits<PortState>): number {
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
