import { describe, expect, test } from 'vitest';
import type { AnyBehavior } from '../../kernel/behavior.ts';
import { defaultTransport, noFaults, type Declaration } from '../../kernel/declaration.ts';
import { start } from '../../system/externals.ts';
import { drive } from '../../kernel/drive.ts';
import type { Session } from '../../kernel/ports.ts';
import { Random } from '../../kernel/data/random.ts';
import { Simulation } from '../../kernel/simulation.ts';
import { hex } from '../../trace/digest.ts';
import { Dpor, type DporOptions, type SearchEnding } from './dpor.ts';
import { conflicts } from '../dependence/footprint.ts';
import type { Transition } from './transitions.ts';
import { Rdp } from './rdp.ts';
import { Dependence } from '../dependence/dependence.ts';
import { RandomWalks, type RandomWalksOptions } from './random-walks.ts';

const environment = { threads: [], tampers: false };

/** Everybody sends one message to `z`, who keeps them all. */
function senders(count: number, awaits = false): Declaration {
  const sender: AnyBehavior = {
    start(ctx) {
      ctx.send('z', ctx.self);
      return {};
    },
    receive() {},
  };
  const z: AnyBehavior = {
    start: () => ({ heard: '' }),
    receive(state, message, ctx) {
      (state as { heard: string }).heard += String(message);
      return awaits ? Promise.resolve(ctx.sleep(1)) : undefined;
    },
  };
  const names = ['a', 'b', 'c', 'd'].slice(0, count);
  return {
    processes: new Map([...names.map((name): [string, AnyBehavior] => [name, sender]), ['z', z]]),
    kinds: new Map(),
    actions: new Map(),
    transport: defaultTransport,
    timers: 'any',
    faults: noFaults,
  };
}

const beginningOf = (declaration: Declaration) => ({
  open: () => Simulation.open(declaration, 0),
  first: [...declaration.processes.keys()].map((name) => start(name)),
  environment,
});

const heardIn = ({ world }: Session): string => (world.process('z').state as { heard: string }).heard;

describe('random walks', () => {
  async function walked(declaration: Declaration, more: Partial<RandomWalksOptions> = {}) {
    const ends: string[] = [];
    let arrivals = 0;
    const visitor = {
      arrived: () => void (arrivals += 1),
      ended: (session: Session, ending: string) => ends.push(`${ending} ${heardIn(session)}`) > 0,
    };
    const options = { ...beginningOf(declaration), eventsMax: 99, walksMax: 600, random: Random.seeded(1, 2), visitor };
    await drive(new RandomWalks({ ...options, ...more }).run());
    return { ends, arrivals };
  }

  test('take each order as often as any other', async () => {
    const { ends, arrivals } = await walked(senders(3));
    for (const heard of ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']) {
      const times = ends.filter((end) => end === `finished ${heard}`).length;
      expect([heard, Math.abs(times - 100) < 30]).toEqual([heard, true]);
    }
    // The start, and after each of three messages.
    expect(arrivals).toBe(600 * 4);
  });

  test('are the same for the same seed, and others for another', async () => {
    const [one, again, other] = [
      await walked(senders(4), { random: Random.seeded(7, 0), walksMax: 20 }),
      await walked(senders(4), { random: Random.seeded(7, 0), walksMax: 20 }),
      await walked(senders(4), { random: Random.seeded(8, 0), walksMax: 20 }),
    ];
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
  });

  test('end at the bound, where anything is left', async () => {
    const { ends } = await walked(senders(2), { eventsMax: 4, walksMax: 50 });
    expect([...new Set(ends)].sort()).toEqual(['bound a', 'bound b']);
    const whole = await walked(senders(2), { eventsMax: 5, walksMax: 50 });
    expect([...new Set(whole.ends)].sort()).toEqual(['finished ab', 'finished ba']);
  });

  test('lead through code that awaits', async () => {
    const { ends, arrivals } = await walked(senders(2, true), { walksMax: 50 });
    expect([...new Set(ends)].sort()).toEqual(['finished ab', 'finished ba']);
    expect(arrivals).toBe(50 * 5);
  });

  test('continue as long as they should', async () => {
    let arrivals = 0;
    const visitor = { arrived: () => ++arrivals < 7, ended: () => true };
    await walked(senders(2), { visitor });
    expect(arrivals).toBe(7);
    let ends = 0;
    await walked(senders(2), { visitor: { arrived: () => {}, ended: () => ++ends < 3 } });
    expect(ends).toBe(3);
  });
});

const dporOptions = (
  declaration: Declaration,
  ended: (session: Session, ending: SearchEnding) => boolean,
): DporOptions => ({
  ...beginningOf(declaration),
  dependence: new Dependence(declaration, environment),
  isVisible: () => false,
  depends: (_session, one, other) => conflicts(one.foot, other.foot),
  eventsMax: 99,
  visitor: { arrived: () => {}, familiarBy: () => undefined, leftOut: () => {}, infeasible: () => {}, ended },
});

test('the reduction begins with the chosen transitions', async () => {
  const heard: string[] = [];
  const options = dporOptions(senders(3), (session) => heard.push(heardIn(session)) > 0);
  await drive(new Dpor({ ...options, choose: (transitions) => transitions.at(-1) as Transition }).run());
  expect([heard[0], heard.length, new Set(heard).size]).toEqual(['cba', 6, 6]);
});

describe('random walks with reduction', () => {
  async function walked(count: number, more: { walksMax: number; executionsPerWalk: number; seed?: number }) {
    const heard: string[] = [];
    const names: string[] = [];
    const options = dporOptions(senders(count), (session) => {
      names.push(hex(session.name()));
      return heard.push(heardIn(session)) > 0;
    });
    const rdp = new Rdp({ ...options, random: Random.seeded(more.seed ?? 1, 2), ...more });
    await drive(rdp.run());
    return { heard, names, isExhausted: rdp.isExhausted };
  }

  test('explore everything after one walk, where they may', async () => {
    const { names, isExhausted } = await walked(4, { walksMax: 5, executionsPerWalk: 1_000 });
    expect([names.length, new Set(names).size, isExhausted]).toEqual([24, 24, true]);
  });

  test('continue with another walk after some executions', async () => {
    const { heard, isExhausted } = await walked(4, { walksMax: 8, executionsPerWalk: 2 });
    expect([heard.length, isExhausted]).toEqual([24, false]);
    const begun = heard.filter((_text, at) => at % 3 === 0);
    expect(new Set(begun).size).toBeGreaterThan(4);
    for (let at = 0; at < heard.length; at += 3) expect(new Set(heard.slice(at, at + 3)).size).toBe(3);
  });

  test('are the same for the same seed', async () => {
    const bounds = { walksMax: 5, executionsPerWalk: 3 };
    expect(await walked(4, { ...bounds, seed: 3 })).toEqual(await walked(4, { ...bounds, seed: 3 }));
    expect(await walked(4, { ...bounds, seed: 3 })).not.toEqual(await walked(4, { ...bounds, seed: 4 }));
  });

  test('are not exhausted because the visitor stops the search', async () => {
    let ends = 0;
    const options = dporOptions(senders(3), () => ++ends < 3);
    const rdp = new Rdp({ ...options, random: Random.seeded(1, 1), walksMax: 9, executionsPerWalk: 99 });
    await drive(rdp.run());
    expect([ends, rdp.isExhausted]).toEqual([3, false]);
  });
});
