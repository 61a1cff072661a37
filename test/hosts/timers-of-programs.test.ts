import { crash, defineSystem, minimize, recheck, restart, search, send, type System } from 'culprit';
import type { External, Trace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { ticking, type Program } from '../twins/ticking.ts';

/** Timers that processes set by themselves, and the time that they get: on a fake clock. */

/** Observes `lost` if `expire` fires while something is unsaved. Inputs are its timers: `save 50` sets one, `save null` cancels it. */
const cache: Program = {
  start: (box) => box.observe('unsaved', 0),
  receive(box, message) {
    const [timer, ms] = String(message).split(' ') as [string, string];
    if (timer === 'save') box.observe('unsaved', 1);
    box.setTimer(timer, ms === 'null' ? null : Number(ms));
  },
  timer(box, timer) {
    if (timer === 'save') box.observe('unsaved', 0);
    if (timer === 'expire' && box.seen['unsaved'] === 1) box.observe('lost', box.timeMs());
  },
};

const systemOf = (inputs: readonly (string | External)[], seen?: (lost: unknown) => void): System =>
  defineSystem({
    processes: { cache: ticking(cache) },
    pace: { roundMs: 20, quietMs: 300 },
    workload: inputs.map((input) => (typeof input === 'string' ? send('cache', input) : input)),
    invariants: {
      kept: (world) => {
        const { lost } = (world.process('cache').state ?? {}) as { lost?: number };
        if (lost !== undefined) seen?.(lost);
        return lost === undefined;
      },
    },
  });

const firedIn = ({ events }: Trace): string[] =>
  events.flatMap((event) => (event.kind === 'fire' ? [event.timer] : []));

async function found(system: System): Promise<Trace> {
  const { findings } = await search(system, { executions: 1, control: false });
  expect(findings).toHaveLength(1);
  return findings[0]?.trace as Trace;
}

test('a bug that depends on the order of two timers is found, minimized, and comes back in every replay', async () => {
  const times: unknown[] = [];
  const inputs = ['other 10', 'expire 70', 'save 100', 'other 10'];
  const system = systemOf(inputs, (lost) => times.push(lost));
  const trace = await found(system);
  expect(firedIn(trace).filter((timer) => timer !== 'other')).toEqual(['expire']);
  expect(await recheck(system, trace, { replays: 5 })).toMatchObject({ reproduced: 5, replays: 5 });
  // The time at which it happened is that of the recording in every replay.
  expect(new Set(times.slice(0, 6)).size).toBe(1);
  const { trace: smallest } = await minimize(system, trace);
  expect(smallest.events.flatMap((event) => (event.kind === 'send' ? [event.message] : []))).toEqual([
    'expire 70',
    'save 100',
  ]);
  expect(firedIn(smallest)).toEqual(['expire']);
});

test.each([
  ['is canceled', ['save 500', 'expire 40', 'expire null']],
  ['was set in a life that is over', ['expire 70', crash('cache'), restart('cache'), 'save 500']],
] as const)('a timer that %s does not fire', async (_, inputs) => {
  const { findings } = await search(systemOf(inputs), { executions: 1, control: false });
  expect(findings).toEqual([]);
});
