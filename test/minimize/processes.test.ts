import { behavior, defineSystem, minimize, send, type System } from 'culprit';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';
import { brief } from './brief.ts';

type Message = { type: 'poll'; members: string[] } | { type: 'ask' } | { type: 'answer' };

const boss = behavior<{ members: number; answers: number }, Message>({
  start: () => ({ members: 0, answers: 0 }),
  receive(state, message, ctx) {
    if (message.type === 'answer') state.answers += 1;
    if (message.type !== 'poll') return;
    state.members = message.members.length;
    for (const member of message.members) ctx.send(member, { type: 'ask' });
  },
});

const worker = behavior<object, Message>({
  start: () => ({}),
  receive(_state, message, ctx) {
    if (message.type === 'ask') ctx.send(ctx.from, { type: 'answer' });
  },
});

/** Violated if this many of the members have answered. */
function polling(workers: number, isWrong: (answers: number, members: number) => boolean): System {
  const names = Array.from({ length: workers }, (_, at) => `w-${at + 1}`);
  return defineSystem({
    processes: { boss, ...Object.fromEntries(names.map((name) => [name, worker])) },
    workload: [send<Message>('boss', { type: 'poll', members: names })],
    invariants: {
      poll(world) {
        const { answers = 0, members = 0 } = (world.process('boss').state ?? {}) as {
          answers?: number;
          members?: number;
        };
        return members === 0 || !isWrong(answers, members) || `${answers} of ${members} have answered`;
      },
    },
  });
}

const everybody = polling(5, (answers, members) => answers === members);

describe('processes', () => {
  test('are removed with all their events, and no other process expects them', async () => {
    const trace = await found(everybody, { strategy: 'random', executions: 20 });
    const dropped = await minimize(everybody, trace, {
      passes: ['externals', 'internals:type', 'single:place', 'single:type'],
    });
    const left = await minimize(everybody, trace, { passes: ['processes'] });
    expect([trace.events.length, dropped.trace.events.length]).toEqual([18, 18]);
    expect(brief(left.trace)).toEqual([
      'start boss',
      'start w-5',
      'send {"members":["w-5"],"type":"poll"} to boss',
      'boss gets {"members":["w-5"],"type":"poll"} from environment',
      'w-5 gets {"type":"ask"} from boss',
      'boss gets {"type":"answer"} from w-5',
    ]);
    expect(left.trace.verdict).toMatchObject({ message: '1 of 1 have answered' });
  });

  test('are removed together if one cannot be removed without another', async () => {
    const half = polling(4, (answers, members) => answers * 2 === members);
    const trace = await found(half, { strategy: 'random', executions: 20 });
    const left = await minimize(half, trace, { passes: ['processes'] });
    expect(trace.verdict).toMatchObject({ message: '2 of 4 have answered' });
    expect(left.trace.verdict).toMatchObject({ message: '1 of 2 have answered' });
    // As far as the boss knows, the other one has been asked; but it does not exist.
    expect(brief(left.trace)).toEqual([
      'start boss',
      'start w-4',
      'send {"members":["w-2","w-4"],"type":"poll"} to boss',
      'boss gets {"members":["w-2","w-4"],"type":"poll"} from environment',
      'w-4 gets {"type":"ask"} from boss',
      'boss gets {"type":"answer"} from w-4',
    ]);
  });

  test('are removed from lists if only their name occurs', async () => {
    const some = polling(4, (answers) => answers === 1);
    const trace = await found(some, { strategy: 'random', executions: 20 });
    const { trace: smallest } = await minimize(some, trace, { passes: ['externals:type', 'processes'] });
    expect(brief(smallest)).toEqual([
      'start boss',
      'start w-4',
      'send {"members":["w-4"],"type":"poll"} to boss',
      'boss gets {"members":["w-4"],"type":"poll"} from environment',
      'w-4 gets {"type":"ask"} from boss',
      'boss gets {"type":"answer"} from w-4',
    ]);
  });

  test('stay if their events must be kept', async () => {
    const trace = await found(everybody, { strategy: 'random', executions: 20 });
    const kept = defineSystem({ ...everybody.define({}), minimize: { keep: ({ process }) => process === 'w-3' } });
    const { trace: smallest } = await minimize(kept, trace, { passes: ['processes'] });
    expect(brief(smallest)).toEqual([
      'start boss',
      'start w-3',
      'start w-5',
      'send {"members":["w-5"],"type":"poll"} to boss',
      'boss gets {"members":["w-5"],"type":"poll"} from environment',
      'w-5 gets {"type":"ask"} from boss',
      'boss gets {"type":"answer"} from w-5',
    ]);
  });
});
