/** Spread items become arguments, of which there is room for so many in any case. */
const SPREAD_MAX = 10_000;

/** Puts others in the place of the items from `from` up to `to`. */
export function exchange<T>(list: T[], from: number, to: number, others: readonly T[]): void {
  const removed = to - from;
  if (others.length === removed) for (let at = from; at < to; at++) list[at] = others[at - from] as T;
  else if (others.length === 0) list.splice(from, removed);
  // The frequent ones are spelled out: spreading is slow.
  else if (others.length === 1) list.splice(from, removed, others[0] as T);
  else if (others.length <= SPREAD_MAX) list.splice(from, removed, ...others);
  else {
    const after = list.slice(to);
    list.length = from;
    for (const item of others) list.push(item);
    for (const item of after) list.push(item);
  }
}
