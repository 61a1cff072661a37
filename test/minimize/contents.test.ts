import { act, behavior, defineSystem, generate, minimize, send } from 'culprit';
import type { Definition, MinimizeHints } from 'culprit/kernel';
import { SystemThrew } from 'culprit/kernel';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';
import { brief } from './brief.ts';

interface Payment {
  amount: number;
  note: string;
  urgent: boolean;
}

const account = behavior<{ paid: number[] }, Payment>({
  start: () => ({ paid: [] }),
  receive(state, { amount }) {
    state.paid.push(amount);
  },
});

const isFalling = ([first = 0, second = first]: readonly number[]): boolean => second < first;

type Workload = NonNullable<Definition<{ account: typeof account }>['workload']>;

/** A payment of more than 37 is a violation. */
const bank = (workload: Workload, hints: MinimizeHints<Payment> = {}) =>
  defineSystem({
    processes: { account },
    workload,
    actions: { pay: (_world, amount: number) => [send('account', { amount, note: 'by action', urgent: true })] },
    invariants: {
      limit: (world) => world.process('account').state?.paid.every((one) => one <= 37) !== false || 'too much',
    },
    minimize: hints,
  });

const payment = fc
  .record({ amount: fc.nat({ max: 1000 }), note: fc.string({ minLength: 1 }), urgent: fc.boolean() })
  .map((message) => send('account', message));

describe('the contents of an external', () => {
  test('shrink like their generator, also through its map functions', async () => {
    const system = bank([generate(3, [1, payment])]);
    const trace = await found(system, { strategy: 'random', executions: 20, seed: 2 });
    const { trace: simplest, certificate } = await minimize(system, trace);
    expect(trace.events[1]).toMatchObject({ message: { amount: 629, note: '\\Ka`O[', urgent: false } });
    expect(brief(simplest)).toEqual([
      'start account',
      'send {"amount":38,"note":" ","urgent":false} to account',
      'account gets {"amount":38,"note":" ","urgent":false} from environment',
    ]);
    expect(certificate).toBe('shortest');
  });

  test('shrink by the hint of the system, the simplest first', async () => {
    const asked: number[] = [];
    const system = bank([send('account', { amount: 90, note: 'rent', urgent: true }), act('pay', 7)], {
      *shrink(external) {
        if (external.kind !== 'send') return;
        asked.push(external.message.amount);
        for (const amount of [10, 40, 38]) yield send(external.to, { ...external.message, amount });
      },
    });
    const trace = await found(system, { strategy: 'random', executions: 20 });
    const { trace: simplest } = await minimize(system, trace, { passes: ['contents'] });
    expect(brief(simplest)).toEqual([
      'start account',
      'send {"amount":38,"note":"rent","urgent":true} to account',
      'act pay 7',
      'send {"amount":7,"note":"by action","urgent":true} to account',
      'account gets {"amount":38,"note":"rent","urgent":true} from environment',
    ]);
    // 10 is too little, 40 is enough; it continues from there, until nothing simpler is left in the second round.
    expect(asked).toEqual([90, 40, 38, 38]);
  });

  test('arrive at the same place among others of the same kind', async () => {
    const [first, second] = [
      { amount: 90, note: 'rent', urgent: true },
      { amount: 1, note: 'rent', urgent: true },
    ];
    const system = defineSystem({
      processes: { account },
      workload: [send('account', first), send('account', second)],
      invariants: { falling: (world) => !isFalling(world.process('account').state?.paid ?? []) || 'less is paid' },
      minimize: {
        shrink: (external) =>
          external.kind === 'send' && external.message.amount > 1
            ? [send('account', { ...external.message, amount: 38 })]
            : [],
      },
    });
    const trace = await found(system, { strategy: 'random', executions: 20 });
    const { trace: simplest } = await minimize(system, trace, { passes: ['contents'] });
    expect(brief(trace).at(-2)).toBe('account gets {"amount":90,"note":"rent","urgent":true} from environment');
    expect(brief(simplest).slice(-2)).toEqual([
      'account gets {"amount":38,"note":"rent","urgent":true} from environment',
      'account gets {"amount":1,"note":"rent","urgent":true} from environment',
    ]);
  });

  test('include the payload of an action', async () => {
    const system = bank([act('pay', 99)], {
      shrink: (external) =>
        external.kind === 'act' ? [act('pay', Math.floor(Number(external.payload) / 2)), act('pay', 38)] : [],
    });
    const trace = await found(system, { strategy: 'random', executions: 20 });
    const { trace: simplest } = await minimize(system, trace, { passes: ['contents'] });
    expect(brief(simplest)).toEqual([
      'start account',
      'act pay 38',
      'send {"amount":38,"note":"by action","urgent":true} to account',
      'account gets {"amount":38,"note":"by action","urgent":true} from environment',
    ]);
  });

  test('stay unchanged without a hint', async () => {
    const system = bank([send('account', { amount: 90, note: 'rent', urgent: true })]);
    const trace = await found(system, { strategy: 'random', executions: 20 });
    const { trace: simplest } = await minimize(system, trace);
    expect(brief(simplest)).toEqual(brief(trace));
  });

  test('are tried at the same place, and only if they are simpler', async () => {
    const system = bank([send('account', { amount: 90, note: 'rent', urgent: true })], {
      shrink: () => [
        send('nobody', { amount: 38, note: '', urgent: false }),
        act('pay', 50),
        send('account', { amount: 91, note: 'rent', urgent: true }),
        send('account', { amount: 90, note: 'rents', urgent: true }),
      ],
    });
    const trace = await found(system, { strategy: 'random', executions: 20 });
    const { trace: simplest, schedules } = await minimize(system, trace, { passes: ['contents'] });
    expect(brief(simplest)).toEqual(brief(trace));
    // The execution itself, and no other.
    expect(schedules).toBe(1);
  });

  test('an exception of the system names its origin', async () => {
    const system = bank([send('account', { amount: 90, note: 'rent', urgent: true })], {
      shrink: () => {
        throw new Error('out of ideas');
      },
    });
    const trace = await found(system, { strategy: 'random', executions: 20 });
    await expect(minimize(system, trace)).rejects.toThrow(SystemThrew);
    await expect(minimize(system, trace)).rejects.toThrow(
      /^minimize\.shrink, asked about a send, threw: Error: out of ideas/,
    );
  });
});
