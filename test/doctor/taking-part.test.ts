import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { behavior, defineSystem, hunt, restart, send, untilDeliveries, ViolationFound } from 'culprit';
import type { DoctorOptions } from 'culprit/kernel';
import lock from '../../cases/lock/lock.system.ts';
import { complaints, counting, fine, idle, said } from './said.ts';

describe('a doctor sees declared things that no execution exercises:', () => {
  test('marks, faults, processes, kinds, messages', async () => {
    const deaf = behavior<{ n: number }, { type: string }>({
      start(ctx) {
        ctx.send(ctx.self, { type: 'known' });
        ctx.send(ctx.self, { type: 'unknown' });
        return { n: 0 };
      },
      receive(state, { type }) {
        if (type === 'known') state.n += 1;
      },
    });
    const system = defineSystem({
      processes: { deaf, idle },
      kinds: { worker: () => idle },
      faults: { restarts: 1, losses: 2 },
      sometimes: { twice: (world) => world.up(deaf).some(({ state }) => state.n > 1) },
      invariants: fine,
    });
    expect(await complaints(system)).toEqual([
      'warning   sometimes: twice was never true in 20 executions',
      'warning   faults: the budget of restarts is 1, but none was possible in 20 executions',
      'warning   processes: idle never received a message, a timer or an answer in 20 executions',
      'warning   processes: none of kind worker joined in 20 executions',
      'warning   messages: unknown was delivered 17 times and never had any effect',
    ]);
  });

  test('a message that only cancels a timer has an effect', async () => {
    const alarm = behavior<object, { type: 'stop' }>({
      start(ctx) {
        ctx.setTimer('ring', 1);
        return {};
      },
      receive(_state, _message, ctx) {
        ctx.cancelTimer('ring');
      },
    });
    const system = defineSystem({
      processes: { alarm },
      workload: [send('alarm', { type: 'stop' })],
      invariants: fine,
    });
    expect(await complaints(system, { executions: 50 })).toEqual([]);
  });

  test('items of the workload', async () => {
    const system = defineSystem({
      processes: { counting },
      workload: [restart('counting'), send('counting', 'x'), untilDeliveries(2), send('counting', 'y')],
      invariants: fine,
    });
    expect(await complaints(system)).toEqual([
      'warning   workload: restart counting could never happen in 20 executions',
      'warning   workload: send "y" to counting was never reached in 20 executions',
    ]);
  });

  test('traces that no longer replay', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'culprit-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    await expect(hunt(lock, { directory, minimize: false })).rejects.toThrow(ViolationFound);
    const traces = async (options: DoctorOptions): Promise<string[]> =>
      (await said(lock, { directory, ...options })).filter((line) => line.includes('traces: '));
    expect(await traces({})).toEqual([`ok        traces: all traces in ${directory} still replay (1)`]);
    // A trace with other parameters is not of this system.
    expect(await traces({ set: { checksOwner: true } })).toEqual([]);
    writeFileSync(join(directory, 'half.trace'), 'half');
    expect(await traces({})).toEqual([
      expect.stringMatching(/^warning {3}traces: .*half\.trace no longer replays: .*half\.trace, line 1 is not JSON/),
    ]);
  });
});
