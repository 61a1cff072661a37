/** A stretch that repeats its first events. Both ends are included. */
export interface Loop {
  readonly first: number;
  readonly last: number;
  /** The number of events in one round. */
  readonly period: number;
}

/** Longer rounds are no loops that a reader would recognize. */
const PERIOD_MAX = 24;
/** Fewer rounds are shown as they are. */
const ROUNDS_MIN = 4;

/** The repetitions of a sequence, from left to right; at each place the one that covers most, of these the shortest round. */
export function loopsOf(shapes: readonly string[]): Loop[] {
  const loops: Loop[] = [];
  for (let first = 0; first < shapes.length; first++) {
    const loop = loopAt(shapes, first);
    if (loop === undefined) continue;
    loops.push(loop);
    first = loop.last;
  }
  return loops;
}

function loopAt(shapes: readonly string[], first: number): Loop | undefined {
  let longest: Loop | undefined;
  for (let period = 1; period <= PERIOD_MAX; period++) {
    let at = first;
    while (at + period < shapes.length && shapes[at] === shapes[at + period]) at += 1;
    const rounds = Math.floor((at - first) / period) + 1;
    const last = first + rounds * period - 1;
    if (rounds >= ROUNDS_MIN && last > (longest?.last ?? -1)) longest = { first, last, period };
  }
  return longest;
}
