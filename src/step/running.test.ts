import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, problem } from '../../test/twins/answers.ts';
import { loadSystem } from '../system/load-system.ts';
import { resolveSystem } from '../system/resolve.ts';
import { behavior, defineSystem } from '../system/define-system.ts';
import type { System } from '../system/definition.ts';
import { steppedOrigin } from './origin.ts';
import { Stepping } from './stepping.ts';

const { system: lock } = await loadSystem(join(import.meta.dirname, '../../cases/lock/lock.system.ts'));

const begun = (system: System, eventsMax = 1_000, handlerMs = 5_000): Promise<Stepping> =>
  Stepping.begin({ origin: steppedOrigin(resolveSystem(system), { eventsMax, handlerMs }), out: 'nowhere' });

describe('a run', () => {
  const counter = behavior<{ n: number }, string>({
    start(ctx) {
      ctx.send('a', 'on');
      return { n: 0 };
    },
    receive(state, message, ctx) {
      state.n += 1;
      if (state.n % 10 === 0) ctx.log(`reached ${state.n}`);
      ctx.send('a', message);
    },
  });
  const endless = defineSystem({
    processes: { a: counter },
    faults: { crashes: 1 },
    sometimes: { isSeven: (world) => world.process('a').state?.n === 7 },
  });
  const length = ({ track }: Stepping): number => track.session.world.length;

  test('without an end stops at the bound on events, and continues with a number of steps', async () => {
    const stepping = await begun(endless, 50);
    expect(await answer(stepping, 'run')).toContain('stopped   at 50 events: --events sets the limit');
    expect(length(stepping)).toBe(50);
    await answer(stepping, 'run 70');
    expect(length(stepping)).toBe(120);
  });

  test('stops at its goal: a `sometimes`, a log, a process, words', async () => {
    const stepping = await begun(endless, 50);
    expect(await answer(stepping, 'run until isSeven')).toContain('reached   isSeven');
    expect(length(stepping)).toBe(8);
    expect(await problem(stepping, 'run until isSeven')).toBe('isSeven has happened already.');
    expect(await answer(stepping, 'run until reached 20')).toContain('reached   reached 20');
    expect(length(stepping)).toBe(21);
    await answer(stepping, 'run until a seed 3');
    expect(length(stepping)).toBe(22);
    expect(await answer(stepping, 'run 5 until nothing of the kind')).toContain('stopped   after 5 events');
    expect(length(stepping)).toBe(27);
  });

  test('until a process stops at its own events, not at events of others that mention it', async () => {
    const counts = { own: 0, mentions: 0 };
    for (const seed of [1, 2, 3, 4, 5]) {
      const stepping = await begun(lock);
      await answer(stepping, `run until client-1 seed ${seed}`);
      const made = stepping.track.lines.slice(4);
      counts.own += made.filter(({ process }) => process === 'client-1').length;
      counts.mentions += made.filter((line) => line.kind === 'deliver' && line.from === 'client-1').length;
    }
    expect(counts.own).toBe(5);
    expect(counts.mentions).toBeGreaterThan(2);
  });

  test('is interrupted, and its beginning can be had again', async () => {
    const stepping = await begun(endless);
    const interruption = new AbortController();
    setTimeout(() => interruption.abort(), 50);
    const { lines } = await stepping.enter('run 1000000000', { signal: interruption.signal });
    const made = length(stepping) - 1;
    expect(lines.join('\n')).toContain(`stopped   after ${made.toLocaleString('en')} events`);
    expect(await answer(stepping, 'script')).toBe(`run ${made}`);
    await answer(stepping, `undo ${made - 3}`);
    expect(await answer(stepping, 'script')).toBe('run 3');
  });

  test('adds faults only on request, within their budget', async () => {
    const crashes = async (command: string): Promise<number> => {
      const stepping = await begun(endless);
      await answer(stepping, command);
      return stepping.track.lines.filter(({ kind }) => kind === 'crash').length;
    };
    expect(await crashes('run 500')).toBe(0);
    expect(await crashes('run 500 faults')).toBe(1);
  });

  test('of another seed chooses otherwise', async () => {
    const story = async (command: string): Promise<string> => await answer(await begun(lock), command);
    expect(await story('run 6 seed 1')).toBe(await story('run 6 seed 1'));
    expect(await story('run 6 seed 1')).not.toBe(await story('run 6 seed 2'));
  });
});
