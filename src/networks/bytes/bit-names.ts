import type { SetBits } from './data.ts';

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
  bitsOf(names: SetBits<N>): number {
    let bits = 0;
    for (const name of names) {
      const place = this.places.get(name);
      if (place === undefined) return -1;
      bits |= 1 << place;
    }
    return bits >>> 0;
  }
}
