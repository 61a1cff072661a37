import { Random } from 'culprit/kernel';

const PRIMITIVES = [0, -0, 1, 2.5, Number.NaN, '', 'a', '$same', true, null, undefined, 7n];
const KEYS = ['a', 'b', '10', '9', '$same', 'a/b', '~'];

/**
 * Plain data of every shape: up to this many nested objects, arrays, Maps and Sets, some in several places, some
 * cyclic; holes, fields that are undefined, objects without a prototype. `isTurned`: the same with keys in another
 * order.
 */
export function randomData(seed: number, objectsMax = 12, isTurned = false): object {
  const random = Random.seeded(seed, 0x64617461);
  const made: object[] = [];
  const part = (): unknown => {
    const kind = random.below(10);
    if (kind < 4 || (made.length >= objectsMax && kind < 8)) return random.pick(PRIMITIVES);
    // Any object so far, including the one that is being made.
    return kind < 6 || made.length >= objectsMax ? random.pick(made) : container(random.below(6));
  };
  const container = (kind: number): object => {
    const count = random.below(4);
    const times = (add: (at: number) => void): void => {
      for (let at = 0; at < count; at++) add(at);
    };
    switch (kind) {
      case 0: {
        const list: unknown[] = begun([]);
        times((at) => (random.below(6) === 0 ? (list.length = at + 1) : (list[at] = part())));
        return list;
      }
      case 1: {
        const map = begun(new Map<unknown, unknown>());
        times(() => map.set(part(), part()));
        return map;
      }
      case 2: {
        const set = begun(new Set<unknown>());
        times(() => set.add(part()));
        return set;
      }
      default:
        return fields(begun((random.below(8) === 0 ? Object.create(null) : {}) as Record<string, unknown>), times);
    }
  };
  const fields = (object: Record<string, unknown>, times: (add: () => void) => void): object => {
    const entries: [string, unknown][] = [];
    times(() => entries.push([random.pick(KEYS), part()]));
    const unique = [...new Map(entries)];
    for (const [key, value] of isTurned ? unique.reverse() : unique) object[key] = value;
    return object;
  };
  const begun = <T extends object>(object: T): T => {
    made.push(object);
    return object;
  };
  return container(5);
}
