import { expect, test } from 'vitest';
import { behavior, crash, defineSystem, restart, search, start, stop } from 'culprit';
import { Lives } from './lives.ts';

const idle = behavior<{ n: number }, string>({ start: () => ({ n: 0 }), receive() {} });

test('a process is up from its start to its end, and down after a crash', async () => {
  const system = defineSystem({
    processes: { a: idle, b: idle },
    kinds: { late: () => idle },
    workload: [crash('a'), restart('a'), stop('b'), start('c', 'late')],
    invariants: { notAll: (world) => world.length < 6 || 'all has happened' },
  });
  const { findings } = await search(system, { executions: 1 });
  const events = findings[0]?.trace.events ?? [];
  expect(events.map(({ kind, process }) => `${process} ${kind}`)).toEqual([
    'a start',
    'b start',
    'a crash',
    'a restart',
    'b stop',
    'c start',
  ]);
  const lives = new Lives(['environment', 'a', 'b', 'c', 'd'], events);
  const over = (name: string): string => [-1, 0, 1, 2, 3, 4, 5].map((event) => lives.at(name, event)).join(' ');
  expect(over('environment')).toBe('up up up up up up up');
  expect(over('a')).toBe('absent up up down up up up');
  expect(over('b')).toBe('absent absent up up up stopped stopped');
  expect(over('c')).toBe('absent absent absent absent absent absent up');
  // Never starts and never acts: it only receives messages.
  expect(over('d')).toBe('up up up up up up up');
  expect(lives.between('a', 1, 2)).toEqual([
    { event: 0, status: 'up' },
    { event: 2, status: 'down' },
  ]);
  expect(lives.between('b', 5, 5)).toEqual([{ event: 4, status: 'stopped' }]);
});

test('a handler that throws crashes its process', async () => {
  const system = defineSystem({
    processes: {
      a: behavior<object, string>({
        start(ctx) {
          ctx.setTimer('boom', 1);
          return {};
        },
        receive() {},
        timer() {
          throw new Error('boom');
        },
      }),
    },
  });
  const { findings } = await search(system, { executions: 1 });
  const lives = new Lives(['a'], findings[0]?.trace.events ?? []);
  expect([lives.at('a', 0), lives.at('a', 1)]).toEqual(['up', 'down']);
});
