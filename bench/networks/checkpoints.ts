import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { resolveSystem, targetOf, type ResolvedSystem, type Session } from 'culprit/kernel';
import { controller, defineNetwork, linear, network } from 'culprit/networks';
import type { Measured } from '../row.ts';

const topology = linear(3);
const { ping } = network(topology, { controllers: ['c1'] });
const program = fileURLToPath(new URL('../../cases/controllers/plain_controller.py', import.meta.url));

/** Pings before the moment to which a session returns. */
const PINGS = [0, 20, 100];

/** How often each is measured: the fastest counts, because others share the machine. */
const TIMES = 5;

/**
 * How long it takes to be at the same moment of an execution again: with the controller started again and everything before replayed
 * without its pauses, and from a checkpoint.
 */
export async function* checkpoints(): AsyncGenerator<Measured> {
  const inside = { shim: 'python', sockets: true, checkpoints: true } as const;
  const c1 = controller(['python3', program, '$address', '$port', '60'], { inside });
  const system = resolveSystem(defineNetwork({ controllers: { c1 }, topology }));
  for (const pings of PINGS) {
    const times: Record<string, number[]> = { 'start and replay': [], checkpoint: [], proceed: [] };
    for (let time = 0; time < TIMES; time++) await measure(system, pings, times);
    for (const [metric, measured] of Object.entries(times))
      yield { case: `after ${pings} pings`, metric, value: Math.min(...measured), unit: 'ms' };
  }
  yield { case: 'all', metric: 'load', value: loadavg()[0] as number, unit: '' };
}

async function measure(system: ResolvedSystem, pings: number, times: Record<string, number[]>): Promise<void> {
  const timed = async <T>(metric: string, work: () => T | Promise<T>): Promise<T> => {
    const beganMs = performance.now();
    const result = await work();
    times[metric]?.push(performance.now() - beganMs);
    return result;
  };
  let session = await timed('start and replay', () => sessionAfter(system, pings));
  try {
    const checkpoint = await timed('checkpoint', () => session.checkpoint?.());
    session = (await timed('proceed', () => checkpoint?.proceed())) ?? session;
  } finally {
    await session.close();
  }
}

/** A session in which so many pings have crossed the network. */
async function sessionAfter(system: ResolvedSystem, pings: number): Promise<Session> {
  const session = targetOf(system).open(1);
  for (const item of system.plan(1).items) if (item.kind === 'start') await session.perform(item);
  await deliverAll(session);
  for (let nth = 0; nth < pings; nth++) {
    await session.perform(nth % 2 === 0 ? ping('h1', 'h3') : ping('h3', 'h1'));
    await deliverAll(session);
  }
  return session;
}

async function deliverAll(session: Session): Promise<void> {
  for (;;) {
    const next = session.enabled.find(({ kind }) => kind === 'deliver');
    if (next === undefined) return;
    await session.perform(next);
  }
}
