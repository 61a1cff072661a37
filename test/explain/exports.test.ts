import mermaid from 'mermaid';
import { describe, expect, test } from 'vitest';
import { behavior, defineSystem, send } from 'culprit';
import { exportTrace } from 'culprit/report';
import { Causality, eventOf, type Trace } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';
import everything from '../trace/everything.system.ts';

const locked = await found(lock, { module: 'cases/lock/lock.system.ts' });
const wide = await found(everything, { eventsMax: 2_000 });

/** Texts that a format could mistake for syntax. */
const odd = [
  'end',
  'a;b',
  'x %% y',
  'p0->>p1: z',
  '#35;',
  'Note over p0',
  '<b>',
  'two\nlines',
  '%%{init: {}}%%',
  '"',
  'style a:b;c',
  'classDef a:b;c',
  'wrap:',
  'nowrap: x',
  '-->',
  "it's `x`",
  ' ',
  '\u001b[31m\u0007\u202e',
  'as end',
];

async function oddlyNamed(): Promise<Trace> {
  const node = behavior<{ got: string[] }, string>({
    start: () => ({ got: [] }),
    receive(state, message, ctx) {
      state.got.push(message);
      for (const peer of ctx.peers.slice(0, 1)) ctx.send(peer, message);
    },
  });
  const names = odd.filter((name) => name.trim() !== '');
  return found(
    defineSystem({
      processes: Object.fromEntries(names.map((name) => [name, node])),
      workload: odd.map((message, at) => send(names[at % names.length] as string, message)),
      invariants: { few: (world) => world.length < 90 || 'too ; many %% events' },
    }),
    { eventsMax: 100 },
  );
}

const hostile = await oddlyNamed();

test.each(['mermaid', 'shiviz', 'chrome', 'json'] as const)('%s, as it is written', async (format) => {
  await expect(exportTrace(locked, format)).toMatchFileSnapshot(`exports/lock.${format}.golden`);
});

describe('a sequence diagram', () => {
  test.each([
    ['the lock', locked],
    ['every kind of event', wide],
    ['odd names and messages', hostile],
    ['no event', { ...locked, events: [], pending: [] }],
  ])("is valid for Mermaid's own parser: %s", async (_what, trace) => {
    expect(await mermaid.parse(exportTrace(trace, 'mermaid'))).toMatchObject({ diagramType: 'sequence' });
  });

  test('has an arrow for each message, arrived or lost', () => {
    const counts = [wide, hostile].map((trace) => {
      const text = exportTrace(trace, 'mermaid');
      const arrived = trace.events.filter(({ kind }) => kind === 'deliver').length;
      const left = trace.pending.filter(({ kind }) => kind === 'deliver').length;
      expect(text.match(/^ {2}p\d+--?>>p\d+: /gm)).toHaveLength(arrived);
      expect(text.match(/^ {2}p\d+--xp\d+: .*, not delivered$/gm) ?? []).toHaveLength(left);
      return left;
    });
    expect(Math.max(...counts)).toBeGreaterThan(0);
  });
});

describe("a log for ShiViz, read by ShiViz's own expression", () => {
  const read = (log: string) =>
    [...log.matchAll(/(?<host>\S*) (?<clock>{.*})\n(?<event>.*)/g)].map(({ groups = {} }) => ({
      host: groups['host'] as string,
      clock: JSON.parse(groups['clock'] as string) as Record<string, number>,
    }));

  test.each([
    ['the lock', locked],
    ['every kind of event', wide],
    ['odd names and messages', hostile],
  ])('has every event once, in the order of its host: %s', (_what, trace) => {
    const counts = new Map<string, number>();
    const events = read(exportTrace(trace, 'shiviz'));
    expect(events).toHaveLength(trace.events.length);
    for (const { host, clock } of events) {
      expect(clock[host]).toBe((counts.get(host) ?? 0) + 1);
      counts.set(host, clock[host] as number);
    }
    expect(counts.size).toBe(new Set(trace.events.map(({ process }) => process)).size);
  });

  test('shows happens-before by its clocks', () => {
    const causality = new Causality(wide.events.map(eventOf));
    const events = read(exportTrace(wide, 'shiviz'));
    const wrong: string[] = [];
    let ordered = 0;
    for (const [later, { clock }] of events.entries())
      for (const [earlier, { host, clock: before }] of events.slice(0, later).entries()) {
        // Here the events of the environment have an order that they do not have elsewhere.
        if (host === 'environment' || Object.hasOwn(clock, 'environment')) continue;
        const isBefore = (clock[host] ?? 0) >= (before[host] as number);
        if (isBefore !== causality.happensBefore(earlier, later)) wrong.push(`${earlier} and ${later}`);
        if (isBefore) ordered += 1;
      }
    expect(wrong).toEqual([]);
    expect(ordered).toBeGreaterThan(20);
  });
});

test('trace events for Perfetto have a slice for each event, and an arrow from each cause', () => {
  interface Written {
    readonly ph: string;
    readonly ts?: number;
    readonly tid?: number;
    readonly id?: number;
  }
  const { traceEvents } = JSON.parse(exportTrace(wide, 'chrome')) as { traceEvents: Written[] };
  const of = (ph: string): Written[] => traceEvents.filter((one) => one.ph === ph);
  expect(of('X')).toHaveLength(wide.events.length);
  expect(of('s').map(({ id }) => id)).toEqual(wide.events.filter(({ cause }) => cause > 0).map(({ event }) => event));
  expect(of('f').map(({ id }) => id)).toEqual(of('s').map(({ id }) => id));
  for (const [at, { ts = 0 }] of of('s').entries()) expect(ts).toBeLessThan(of('f')[at]?.ts as number);
});

test('JSON is the trace itself', () => {
  expect(JSON.parse(exportTrace(wide, 'json'))).toEqual(JSON.parse(JSON.stringify(wide)));
});
