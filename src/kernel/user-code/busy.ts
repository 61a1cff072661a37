import { getActiveResourcesInfo } from 'node:process';

/** What keeps Node busy that is ours, by Node's name for it: no handler has started that. */
const own = { Timeout: 0, Immediate: 0 };

/** A timer or immediate of our own begins (1) or ends (-1). */
export function countOwn(type: keyof typeof own, by: 1 | -1): void {
  own[type] += by;
}

/** What kept Node busy at a moment. */
export interface Busy {
  readonly with: readonly string[];
  readonly own: Readonly<Record<string, number>>;
}

export const busyNow = (): Busy => ({ with: getActiveResourcesInfo(), own: { ...own } });

/** What writing to standard output keeps busy: no code waits for it. */
const OUTPUT: ReadonlySet<string> = new Set(['TTYWrap', 'PipeWrap', 'WriteWrap', 'MessagePort', 'CloseReq']);

/** Something that keeps Node busy now and did not before, if anything does. */
export function newlyBusyWith(before: Busy, after: Busy): string | undefined {
  const count = (busy: Busy, type: string): number =>
    busy.with.filter((one) => one === type).length - (busy.own[type] ?? 0);
  return after.with.find((type) => !OUTPUT.has(type) && count(after, type) > count(before, type));
}
