import type { System } from 'culprit';
import { resolveSystem } from 'culprit/kernel';
import { defineNetwork, linear, network } from 'culprit/networks';
import { expect, test } from 'vitest';
import { executedInTime, randomTicking } from '../../../test/twins/random-ticking.ts';
import { blackBoxController } from '../../../test/twins/networks/black-box-controller.ts';
import { hex } from '../../trace/digest.ts';
import { comparableContent } from '../../trace/event-subject.ts';
import { isInternal, type Event, type External } from '../../trace/event.ts';
import { recounted } from './recounted.ts';

const SYSTEMS = 60;

const wordsOf = (event: Event): string => JSON.stringify([event.process, ...comparableContent(event)]);

/** The recorded events that the other execution has as well, each as often as there. */
function common(recording: readonly Event[], other: readonly Event[]): readonly Event[] {
  const left = [...other];
  return recording.filter((event) => {
    const at = left.findIndex((now) => wordsOf(now) === wordsOf(event) && isAtSameTime(now, event));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** On the fake clock, an event more or less makes a small difference. */
const isAtSameTime = (one: Event, other: Event): boolean => Math.abs((one.atMs ?? 0) - (other.atMs ?? 0)) <= 3;

const nameOf = (event: Event): string => `${wordsOf(event)} ${hex(event)}`;

/** How many of these events have a name that the execution has not. */
function unknownIn(now: readonly Event[], events: readonly Event[]): number {
  const names = new Set(now.map(nameOf));
  return events.filter((event) => !names.has(nameOf(event))).length;
}

const fingerprint = (message: unknown): unknown => message;

class WrongNames {
  of = 0;
  before = 0;
  now = 0;

  /** Executes the system without each of its externals in turn, and counts names that are wrong. */
  async count(system: System, workload: readonly External[], isTried: (external: External) => boolean): Promise<void> {
    const { declaration } = resolveSystem(system);
    const { events } = await executedInTime(system, workload);
    for (const [at, external] of workload.entries()) {
      if (!isTried(external)) continue;
      const now = (await executedInTime(system, workload, [at])).events;
      const part = common(events, now);
      this.of += part.length;
      this.before += unknownIn(now, part);
      this.now += unknownIn(now, recounted(events, part, declaration.fingerprint ?? fingerprint).events);
    }
  }
}

/** The same of random systems. */
async function wrongNames(isTried: (external: External) => boolean): Promise<WrongNames> {
  const wrong = new WrongNames();
  for (let seed = 1; seed <= SYSTEMS; seed++) {
    const { system, workload } = randomTicking(seed);
    await wrong.count(system, workload, isTried);
  }
  return wrong;
}

test('without an input that causes no message, all other events are named as they are then', async () => {
  const causesNothing = (external: External): boolean =>
    external.kind === 'send' && (external.message as { hops: number }).hops === 0;
  expect(await wrongNames(causesNothing)).toMatchObject({ of: 2419, before: 50, now: 0 });
});

test('without any other external, nearly all events are; the order in which they were made is not always known', async () => {
  expect(await wrongNames(() => true)).toMatchObject({ of: 17_637, before: 570, now: 24 });
});

test('without any one of its inputs, all events of a network are named as they are then', async () => {
  const controllers = { c1: blackBoxController() };
  const system = defineNetwork({ topology: linear(3), controllers, pace: { roundMs: 20, quietMs: 100 } });
  const net = network(linear(3), { controllers: ['c1'] });
  const pairs = ['h1 h2', 'h3 h1', 'h2 h1', 'h1 h3', 'h2 h3', 'h1 h2', 'h3 h2', 'h1 h3'];
  const pings = pairs.map((pair) => net.ping(...(pair.split(' ') as [string, string])));
  const workload = [...pings.slice(0, 5), net.cutLink('s2', 's3'), ...pings.slice(5)] as External[];
  const wrong = new WrongNames();
  await wrong.count(system, workload, () => true);
  expect(wrong).toMatchObject({ of: 433, before: 14, now: 0 });
});

test('all of a recording keeps its names', async () => {
  const { system, workload } = randomTicking(3);
  const { events } = await executedInTime(system, workload);
  expect(events.filter(isInternal).length).toBeGreaterThan(10);
  expect(recounted(events, events, fingerprint).events).toBe(events);
});
