import type { EventLine, Trace } from '../trace/format.ts';
import { printableJson } from '../text/printable.ts';
import { sentenceOf } from '../explain/story.ts';

/** The displayed duration of an event in microseconds: executions have an order, but no durations. */
const STEP_US = 1_000;

/** Chrome's trace event format, for Perfetto: a thread for each process, and an arrow from each cause to its effect. */
export function chrome({ header, events, verdict }: Trace): string {
  const processes = [...new Set(events.map(({ process }) => process))];
  const threads = new Map(processes.map((process, place) => [process, place + 1]));
  const threadOf = (process: string): number => threads.get(process) as number;
  const at = (line: EventLine) => ({ pid: 1, tid: threadOf(line.process), ts: line.event * STEP_US });
  const traceEvents = [
    { ph: 'M', name: 'process_name', pid: 1, args: { name: header.system } },
    ...processes.map((name) => ({ ph: 'M', name: 'thread_name', pid: 1, tid: threadOf(name), args: { name } })),
    ...events.flatMap((line) => {
      const { what, changes, stateLabel } = sentenceOf(line);
      const slice = {
        ph: 'X',
        name: what,
        cat: line.kind,
        dur: STEP_US,
        ...at(line),
        args: { event: line.event, changes, ...(stateLabel === undefined ? {} : { stateLabel }) },
      };
      const cause = events[line.cause - 1];
      if (cause === undefined) return [slice];
      const flow = { name: 'causes', cat: 'cause', id: line.event };
      return [slice, { ph: 's', ...flow, ...at(cause) }, { ph: 'f', bp: 'e', ...flow, ...at(line) }];
    }),
    ...(verdict.verdict === 'violated'
      ? [
          {
            ph: 'i',
            s: 'g',
            name: `violated ${verdict.oracle}: ${verdict.message}`,
            pid: 1,
            tid: 1,
            ts: (events.length + 1) * STEP_US,
          },
        ]
      : []),
  ];
  return `${printableJson(JSON.stringify({ traceEvents }))}\n`;
}
