import type { EventLine } from 'culprit/trace';
import type { Execution } from './execution.ts';
import type { Lines, Side } from './lines.ts';

/** The parts of time in an overview, from top to bottom. */
export const SLICES = 400;
/** How busy a process is, in so many degrees. */
export const DEGREES = 4;

/** A whole execution in few marks, for any number of events. */
export interface Overview {
  /** By process and slice: from 0 for no event to `DEGREES` for most of all. */
  readonly busy: readonly Uint8Array[];
  /** The slices with a fault, ascending. */
  readonly faults: readonly number[];
}

const faultKinds: ReadonlySet<EventLine['kind']> = new Set([
  'crash',
  'stop',
  'cut',
  'lose',
  'duplicate',
  'pause',
  'hold',
  'delay',
]);

export const sliceOf = (line: number, lines: number): number =>
  Math.min(SLICES - 1, Math.floor((line / Math.max(1, lines)) * SLICES));

export function overviewOf({ events }: Execution, names: readonly string[], lines: Lines, side: Side): Overview {
  const counts = new Map(names.map((name) => [name, new Uint32Array(SLICES)]));
  const faults = new Set<number>();
  for (const [event, { process, kind }] of events.entries()) {
    const slice = sliceOf(lines.lineOf(side, event), lines.length);
    const count = counts.get(process);
    if (count !== undefined) count[slice] = (count[slice] as number) + 1;
    if (faultKinds.has(kind)) faults.add(slice);
  }
  const most = [...counts.values()].reduce((max, count) => Math.max(max, ...count), 1);
  return {
    busy: [...counts.values()].map((count) => Uint8Array.from(count, (one) => Math.ceil((one / most) * DEGREES))),
    faults: [...faults].toSorted((a, b) => a - b),
  };
}
