import { behavior, defineSystem, minimize, send } from 'culprit';
import { expect, test } from 'vitest';
import { found } from '../found.ts';
import { brief } from './brief.ts';

type Message = { type: 'ball'; count: number } | { type: 'bonus' };

/** Keeps the ball going forever, and counts. */
const player = (other: string) =>
  behavior<{ bonus: number; count: number }, Message>({
    start: () => ({ bonus: 0, count: 0 }),
    receive(state, message, ctx) {
      if (message.type === 'bonus') state.bonus = 1;
      else {
        state.count = message.count;
        ctx.send(other, { type: 'ball', count: message.count + 1 + state.bonus });
        state.bonus = 0;
      }
    },
  });

const ping = player('pong');
const system = defineSystem({
  processes: { ping, pong: player('ping') },
  workload: [send('pong', { type: 'bonus' }), send('ping', { type: 'ball', count: 0 })],
  invariants: { even: (world) => world.up(ping).every(({ state }) => state.count !== 3) },
});

// Without the bonus the count is even whenever ping has the ball: 3 never comes.
test('an event with different contents is not awaited while a similar one exists', async () => {
  const { trace } = await minimize(system, await found(system), { passes: ['single:content:repair'] });
  expect(brief(trace)).toEqual([
    'start ping',
    'start pong',
    'send {"type":"bonus"} to pong',
    'send {"count":0,"type":"ball"} to ping',
    'pong gets {"type":"bonus"} from environment',
    'ping gets {"count":0,"type":"ball"} from environment',
    'pong gets {"count":1,"type":"ball"} from ping',
    'ping gets {"count":3,"type":"ball"} from pong',
  ]);
});
