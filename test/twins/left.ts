import { behavior, check, defineSystem, send, until, type CheckOptions, type Oracle, type System } from 'culprit';
import type { SavedCheck } from 'culprit/kernel';
import { deeds } from './deeds.ts';

/** Records the name of every execution: equal for those that differ only in the order of independent events. */
export function recorder(onName?: (count: number) => void): { readonly oracle: Oracle; readonly names: string[] } {
  const names: string[] = [];
  const oracle: Oracle = {
    judge: () => ({ kind: 'holds' }),
    ignoresOrder: true,
    begin: (session) => ({
      judge: () => ({ kind: 'holds' }),
      end() {
        const { hi, lo } = session.name();
        names.push(`${hi} ${lo}`);
        onName?.(names.length);
        return { kind: 'holds' };
      },
    }),
  };
  return { oracle, names };
}

export interface Counter {
  n: number;
  heard: string[];
}

export const counting = (awaits: boolean, hears: boolean) =>
  behavior<Counter, string>({
    start: () => ({ n: 0, heard: [] }),
    receive(state, message, ctx) {
      state.n += 1;
      if (hears) state.heard.push(message);
      if (message === 'tell') for (const peer of ctx.peers) ctx.send(peer, `from ${ctx.self}`);
      if (message === 'later') ctx.setTimer('later', 5);
      return awaits ? Promise.resolve(ctx.disk.write('n', state.n)) : undefined;
    },
    timer(state) {
      state.n += 10;
    },
  });

type Make = (oracle: Oracle) => System;

export const systems: Record<string, [make: Make, options: CheckOptions]> = {
  messages: [
    (oracle) =>
      defineSystem({
        processes: { a: counting(false, true), b: counting(false, true), c: counting(false, true) },
        workload: [send('a', 'tell'), send('b', 'tell')],
        oracles: { oracle },
      }),
    {},
  ],
  'crashes, restarts and invariants': [
    (oracle) =>
      defineSystem({
        processes: { a: counting(false, true), b: counting(false, true) },
        workload: [send('a', 'tell'), send('b', 'hello')],
        faults: { crashes: 1, restarts: 1 },
        oracles: { oracle },
        invariants: {
          few: (world) => world.up().every(({ state }) => state.n < 100),
          // Reads more only after something has happened.
          heard: (world) => (world.process('b').state?.n ?? 0) < 2 || world.process('a').name === 'a',
        },
      }),
    {},
  ],
  'handlers that await': [
    (oracle) =>
      defineSystem({
        processes: { a: counting(true, false), b: counting(true, false) },
        workload: [send('a', 'tell'), send('b', 'hello')],
        oracles: { oracle },
      }),
    {},
  ],
  rules: [
    (oracle) =>
      defineSystem({
        processes: { a: counting(false, false), b: counting(false, false), c: counting(false, false) },
        workload: [send('a', 'tell'), send('b', 'tell')],
        transport: 'unordered',
        faults: { crashes: 1 },
        oracles: { oracle },
        reduce: {
          message: (message) => (message.startsWith('from') ? 'counts' : 'modifies'),
          recovery: ({ state }) => state?.n,
        },
      }),
    { reduce: ['lmi', 'crs'], audit: true },
  ],
  'rules that are wrong': [
    (oracle) =>
      defineSystem({
        processes: { a: counting(false, true), b: counting(false, true), c: counting(false, true) },
        workload: [send('a', 'tell'), send('b', 'tell'), send('b', 'hello')],
        transport: 'unordered',
        oracles: { oracle },
        reduce: { message: (message) => (message === 'tell' ? 'modifies' : 'counts') },
      }),
    { reduce: ['lmi'], audit: true },
  ],
  'wrong rules': [
    (oracle) => {
      const { declaration, scripts } = deeds('crashes', 9);
      return defineSystem({
        processes: Object.fromEntries(declaration.processes),
        transport: declaration.transport,
        workload: scripts[0]?.items ?? [],
        faults: { crashes: 1 },
        oracles: { oracle },
        reduce: { message: () => 'counts' },
      });
    },
    { reduce: ['lmi'] },
  ],
  'losses, copies, and worlds that are never the same': [
    (oracle) =>
      defineSystem({
        processes: { a: counting(false, true), b: counting(false, true) },
        workload: [send('a', 'tell'), send('b', 'later')],
        faults: { losses: 1, duplicates: 1 },
        transport: 'unordered',
        oracles: { oracle },
        invariants: { few: (world) => world.pending.length < 9 },
      }),
    {},
  ],
  'clocks and lengths': [
    (oracle) =>
      defineSystem({
        processes: { a: counting(false, true), b: counting(false, true) },
        workload: [send('a', 'later'), until((world) => world.length > 3), send('b', 'tell')],
        faults: { partitions: 1 },
        oracles: { oracle },
        invariants: { short: (world) => world.length < 99 },
      }),
    { eventsMax: 8 },
  ],
  'what one oracle does not know': [
    (oracle) =>
      defineSystem({
        processes: { a: counting(false, true), b: counting(false, true) },
        workload: [send('a', 'tell'), send('b', 'tell')],
        oracles: {
          oracle,
          unsure: {
            judge: (world) =>
              world.up().some(({ state }) => (state as Counter).n > 0) || world.up().length < 2
                ? { kind: 'holds' }
                : { kind: 'unknown', why: 'it has only begun' },
          },
        },
      }),
    {},
  ],
};

/** The report of a check, without the time it took. */
export const timeless = (report: object): object => ({ ...report, seconds: 0 });

/** As read from a file. */
const fromFile = (saved: SavedCheck): SavedCheck => JSON.parse(JSON.stringify(saved)) as SavedCheck;

export async function left(system: System, options: CheckOptions): Promise<SavedCheck | undefined> {
  let saved: SavedCheck | undefined;
  await check(system, { ...options, onSave: (now) => (saved = now) });
  return saved && fromFile(saved);
}
