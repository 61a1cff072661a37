import type { EventLine, Trace } from '../../trace/format.ts';
import { printable } from '../../printable.ts';
import { become, tell } from '../story.ts';

type Clock = ReadonlyMap<string, number>;

/**
 * A log for ShiViz, as its regular expression `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)` reads it: two lines an event, the first
 * with a vector clock. What the environment does is in order there, as ShiViz draws a line for every host.
 */
export function shiviz({ events }: Trace): string {
  const hosts = hostsOf(events);
  const latest = new Map<string, Clock>();
  const clocks: Clock[] = [];
  const lines = events.flatMap((line) => {
    const host = hosts.get(line.process) as string;
    const before = merged(latest.get(host), clocks[line.cause - 1]);
    const clock = new Map([...before, [host, (before.get(host) ?? 0) + 1]]);
    latest.set(host, clock);
    clocks.push(clock);
    return [`${host} ${JSON.stringify(Object.fromEntries(clock))}`, [tell(line).what, ...become(line)].join('; ')];
  });
  return `${lines.join('\n')}\n`;
}

/** Names without spaces and controls, and no two alike. */
function hostsOf(events: readonly EventLine[]): Map<string, string> {
  const hosts = new Map<string, string>();
  const taken = new Set<string>();
  for (const { process } of events) {
    if (hosts.has(process)) continue;
    let host = printable(process).replaceAll(/\s/g, '_') || '_';
    while (taken.has(host)) host += '_';
    taken.add(host);
    hosts.set(process, host);
  }
  return hosts;
}

function merged(one: Clock = new Map(), other: Clock = new Map()): Clock {
  const clock = new Map(one);
  for (const [host, count] of other) clock.set(host, Math.max(clock.get(host) ?? 0, count));
  return clock;
}
