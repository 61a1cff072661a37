import type { EventLine, Trace } from '../trace/format.ts';
import { printable } from '../text/printable.ts';
import { effectTexts, sentenceOf } from '../explain/story.ts';
import { TooLarge } from '../explain/too-large.ts';
import { withCommas } from '../text/with-commas.ts';

/** By host. A map, because names of hosts may be any text. */
type Clock = ReadonlyMap<string, number>;

/** The limit on entries of all vector clocks together. */
const ENTRIES_MAX = 2_000_000;

/**
 * A log for ShiViz, for its regular expression `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`: two lines per event, the
 * first with a vector clock. Events of the environment are totally ordered, because ShiViz draws one line for each
 * host.
 */
export function shiviz({ events }: Trace): string {
  const hosts = hostsOf(events);
  const latest = new Map<string, Clock>();
  const clocks: Clock[] = [];
  let entries = 0;
  const lines = events.flatMap((line) => {
    const host = hosts.get(line.process) as string;
    const clock = merged(latest.get(host), clocks[line.cause - 1]);
    clock.set(host, (clock.get(host) ?? 0) + 1);
    latest.set(host, clock);
    clocks.push(clock);
    entries += clock.size;
    if (entries > ENTRIES_MAX)
      throw new TooLarge('shiviz', `its vector clocks would have more than ${withCommas(ENTRIES_MAX)} entries`);
    const said = [sentenceOf(line).what, ...effectTexts(line)].join('; ').replaceAll(/\s+/g, ' ');
    return [`${host} ${JSON.stringify(Object.fromEntries(clock))}`, said];
  });
  return `${lines.join('\n')}\n`;
}

/** Unique names without spaces and control characters. */
function hostsOf(events: readonly EventLine[]): Map<string, string> {
  const hosts = new Map<string, string>();
  const taken = new Set<string>();
  const tried = new Map<string, number>();
  for (const { process } of events) {
    if (hosts.has(process)) continue;
    const plain = printable(process).replaceAll(/\s/g, '_') || '_';
    let [host, nth] = [plain, tried.get(plain) ?? 1];
    for (; taken.has(host); nth++) host = nth === 1 ? `${plain}_` : `${plain}_${nth}`;
    tried.set(plain, nth);
    taken.add(host);
    hosts.set(process, host);
  }
  return hosts;
}

function merged(one: Clock | undefined, other: Clock | undefined): Map<string, number> {
  const clock = new Map(one);
  for (const [host, count] of other ?? []) clock.set(host, Math.max(clock.get(host) ?? 0, count));
  return clock;
}
