import { controller, defineNetwork, linear, network } from 'culprit/networks';
import { expect, test } from 'vitest';
import { packageFile } from '../files/package-file.ts';
import { targetOf } from '../hosts/target.ts';
import type { WaitingSettings } from '../kernel/declaration.ts';
import { HANDLER_MS } from '../kernel/drive.ts';
import type { Session } from '../kernel/ports.ts';
import { resolveSystem, type ResolvedSystem } from '../system/resolve.ts';
import { comparableContent } from '../trace/event-subject.ts';
import type { Event } from '../trace/event.ts';
import { WaitingReplays } from './waiting-replay.ts';

const topology = linear(2);
const { ping } = network(topology, { controllers: ['c1'] });
const program = packageFile('cases/controllers/plain_controller.py');

/** A network with a controller in Python, and the number of times that the controller was started. */
function networkWith(checkpoints: boolean): { readonly system: ResolvedSystem; readonly starts: () => number } {
  let starts = 0;
  const inside = { shim: 'python', sockets: true, checkpoints } as const;
  const plain = controller(['python3', program, '$address', '$port', '60'], { inside });
  const c1 = {
    ...plain,
    start: (...args: Parameters<typeof plain.start>) => {
      starts += 1;
      return plain.start(...args);
    },
  };
  const system = defineNetwork({ controllers: { c1 }, topology, waiting: { peek: 'replay' } });
  return { system: resolveSystem(system), starts: () => starts };
}

/** Delivers everything until nothing is left but timers. */
async function settle(session: Session): Promise<void> {
  for (;;) {
    const next = session.enabled.find(({ kind }) => kind === 'deliver');
    if (next === undefined) return;
    await session.perform(next);
  }
}

async function recorded(system: ResolvedSystem): Promise<readonly Event[]> {
  const session = targetOf(system).open(1);
  try {
    for (const item of system.plan(1).items) if (item.kind === 'start') await session.perform(item);
    await settle(session);
    for (const [from, to] of [
      ['h1', 'h2'],
      ['h2', 'h1'],
      ['h1', 'h2'],
      ['h2', 'h1'],
    ] as const) {
      await session.perform(ping(from, to));
      await settle(session);
    }
    return session.recording.events.since(0);
  } finally {
    await session.close();
  }
}

/** What peek leaves of a recording without its second ping, and the number of prefixes that it looked at. */
async function peeked(
  system: ResolvedSystem,
  recording: readonly Event[],
): Promise<{ readonly left: readonly string[]; readonly peeks: number }> {
  const replays = new WaitingReplays(system, system.waiting as WaitingSettings, {
    system,
    module: undefined,
    seed: 1,
    strategy: 'random',
    eventsMax: 1000,
    handlerMs: HANDLER_MS,
  });
  const [, second] = recording.filter(({ kind }) => kind === 'send');
  const schedule = recording.filter((event) => event !== second);
  const { result } = await replays.replay(schedule, recording, (events) => Promise.resolve(events));
  return {
    left: result.map((event) => JSON.stringify([event.process, ...comparableContent(event)])),
    peeks: replays.counts.peeks,
  };
}

test('a peek from checkpoints finds what a peek by replays finds, and starts the controller once', async () => {
  const [byReplays, fromCheckpoints] = [networkWith(false), networkWith(true)];
  const recording = await recorded(networkWith(false).system);
  const expected = await peeked(byReplays.system, recording);
  expect(await peeked(fromCheckpoints.system, recording)).toEqual(expected);
  expect(expected.peeks).toBe(4);
  // Without the second ping, the controller floods the third.
  expect(expected.left.length).toBeLessThan(recording.length - 1);
  expect([byReplays.starts() > 3, fromCheckpoints.starts()]).toEqual([true, 1]);
});
