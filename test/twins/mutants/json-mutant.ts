import type { Random } from 'culprit/kernel';
import { anyText, portable } from './values.ts';

/** Numbers that indexes, counts and bounds should not be. */
const NUMBERS = [-1, 0, 1, 0.5, 7, 1e9, 2 ** 31, 2 ** 53, -1e300];

/** A copy of JSON data with one change, wherever it is: a value of another type or size, a field or an item less, or twice. */
export function jsonMutant(data: unknown, random: Random): unknown {
  const copy: unknown = structuredClone(data);
  const places = placesIn(copy);
  if (places.length === 0) return portable(random, 2);
  const { within, key } = random.pick(places);
  const changes: readonly (() => unknown)[] = [
    (): unknown => (within[key] = portable(random, 2)),
    () => (within[key] = random.pick(NUMBERS)),
    () => (within[key] = anyText(random)),
    () => (within[key] = random.pick([null, [], {}, true])),
    () => (Array.isArray(within) ? within.splice(Number(key), 1) : delete within[key]),
    () => (Array.isArray(within) ? within.push(structuredClone(within[Number(key)])) : (within['more'] = 1)),
    () => (within[key] = structuredClone(within[random.pick(Object.keys(within))])),
  ];
  random.pick(changes)();
  return copy;
}

/** A text with one change: a part is left out, comes twice, or has another character. */
export function textMutant(text: string, random: Random): string {
  const at = random.below(Math.max(1, text.length));
  const to = Math.min(text.length, at + 1 + random.below(40));
  return random.pick([
    (): string => text.slice(0, at),
    () => text.slice(0, at) + text.slice(to),
    () => text.slice(0, to) + text.slice(at),
    () => text.slice(0, at) + anyText(random) + text.slice(at + 1),
  ])();
}

interface DataPlace {
  readonly within: Record<string, unknown>;
  readonly key: string;
}

function placesIn(data: unknown): DataPlace[] {
  if (typeof data !== 'object' || data === null) return [];
  const within = data as Record<string, unknown>;
  return Object.keys(within).flatMap((key) => [{ within, key }, ...placesIn(within[key])]);
}
