import { getActiveResourcesInfo } from 'node:process';

/** Our own resources that keep Node busy, by Node's names for them: no handler has started them. */
const own = { Timeout: 0, Immediate: 0 };

/** A timer or immediate of our own begins (1) or ends (-1). */
export function countOwn(type: keyof typeof own, by: 1 | -1): void {
  own[type] += by;
}

/** The resources that kept Node busy at a moment. */
export interface Busy {
  readonly with: readonly string[];
  readonly own: Readonly<Record<string, number>>;
}

export const busyNow = (): Busy => ({ with: getActiveResourcesInfo(), own: { ...own } });

/** The resources of writing to standard output: no code waits for them. */
const OUTPUT: ReadonlySet<string> = new Set(['TTYWrap', 'PipeWrap', 'WriteWrap', 'MessagePort', 'CloseReq']);

/** Something that keeps Node busy now and did not before, if anything does. */
export function newlyBusyWith(before: Busy, after: Busy): string | undefined {
  const count = (busy: Busy, type: string): number =>
    busy.with.filter((one) => one === type).length - (busy.own[type] ?? 0);
  return after.with.find((type) => !OUTPUT.has(type) && count(after, type) > count(before, type));
}
