import { behavior, defineSystem, minimize, send, start, type System } from 'culprit';
import { describe, expect, test } from 'vitest';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';
import { brief } from './brief.ts';

type Message = { type: 'visit'; next: string | null } | { type: 'hello' };

const node = behavior<{ greeted: boolean }, Message>({
  start: () => ({ greeted: false }),
  receive(state, message, ctx) {
    if (message.type === 'hello') state.greeted = true;
    else if (message.next !== null) ctx.send(message.next, { type: 'hello' });
  },
});

/** None of these may be greeted; d visits c. */
const visiting = (more: { readonly minds: readonly string[]; readonly fingerprint?: string }): System =>
  defineSystem({
    processes: { a: node, b: node, c: node, d: node },
    workload: [send<Message>('d', { type: 'visit', next: 'c' })],
    invariants: {
      alone(world) {
        const greeted = world.up(node).find(({ name, state }) => state.greeted && more.minds.includes(name));
        const { fingerprint } = more;
        return (
          greeted === undefined || {
            message: `${greeted.name} was greeted`,
            processes: [greeted.name],
            ...(fingerprint === undefined ? {} : { fingerprint }),
          }
        );
      },
    },
  });

describe('names', () => {
  test('are in the order of first appearance, in payloads too, and the violation concerns the new ones', async () => {
    const system = visiting({ minds: ['a', 'b', 'c', 'd'] });
    const trace = await found(system, { strategy: 'random', executions: 1 });
    const { trace: tidy } = await minimize(system, trace, { passes: ['names'] });
    expect(trace.verdict).toMatchObject({ message: 'c was greeted', fingerprint: 'alone c' });
    expect(brief(tidy)).toEqual([
      'start a',
      'start b',
      'start c',
      'start d',
      'send {"next":"b","type":"visit"} to a',
      'a gets {"next":"b","type":"visit"} from environment',
      'b gets {"type":"hello"} from a',
    ]);
    expect(tidy.verdict).toMatchObject({ message: 'b was greeted', fingerprint: 'alone b' });
  });

  test('other passes continue with the violation of the new ones', async () => {
    const system = visiting({ minds: ['a', 'b', 'c', 'd'] });
    const trace = await found(system, { strategy: 'random', executions: 1 });
    const { trace: smallest, others } = await minimize(system, trace);
    expect(brief(smallest)).toEqual([
      'start a',
      'start b',
      'send {"next":"b","type":"visit"} to a',
      'a gets {"next":"b","type":"visit"} from environment',
      'b gets {"type":"hello"} from a',
    ]);
    expect(others).toEqual([]);
  });

  test('stay if identity matters, and the others move to their places', async () => {
    const system = visiting({ minds: ['c'] });
    const trace = await found(system, { strategy: 'random', executions: 1 });
    const { trace: tidy } = await minimize(system, trace, { passes: ['names'] });
    expect(brief(tidy)).toEqual([
      'start a',
      'start b',
      'start c',
      'start d',
      'send {"next":"c","type":"visit"} to a',
      'a gets {"next":"c","type":"visit"} from environment',
      'c gets {"type":"hello"} from a',
    ]);
  });

  test('are also those of processes that join', async () => {
    const joining = defineSystem({
      processes: { host: node },
      kinds: { node: () => node },
      workload: [
        ...['a', 'b', 'c'].map((name) => start(name, 'node')),
        send<Message>('c', { type: 'visit', next: 'b' }),
      ],
      invariants: {
        alone: (world) => !world.up().some(({ state }) => state.greeted) || 'hello',
      },
    });
    const trace = await found(joining, { strategy: 'random', executions: 20 });
    const { trace: tidy } = await minimize(joining, trace);
    expect(brief(tidy)).toEqual([
      'start a',
      'start b',
      'send {"next":"b","type":"visit"} to a',
      'a gets {"next":"b","type":"visit"} from environment',
      'b gets {"type":"hello"} from a',
    ]);
  });

  test('reduce the number of stories of the lock, whichever client was first', async () => {
    const stories = [new Set<string>(), new Set<string>()];
    for (let seed = 0; seed < 1_000; seed += 50) {
      const trace = await found(lock, { strategy: 'random', executions: 400, seed });
      const small = await minimize(lock, trace, { passes: ['single:place', 'single:type'] });
      const tidy = await minimize(lock, trace, { passes: ['single:place', 'single:type', 'names'] });
      for (const [at, { trace: minimized }] of [small, tidy].entries()) stories[at]?.add(brief(minimized).join('\n'));
    }
    expect(stories.map(({ size }) => size)).toEqual([18, 14]);
  });
});
