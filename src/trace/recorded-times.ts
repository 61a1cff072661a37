import type { Trace } from './format.ts';

/** Whether the execution was recorded as it happened, of a system in which events appear by themselves: its events have times. */
export const hasTimes = ({ events }: Pick<Trace, 'events'>): boolean => events.some(({ atMs }) => atMs !== undefined);
