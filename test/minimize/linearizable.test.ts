import { behavior, defineSystem, linearizable, minimize, models } from 'culprit';
import { expect, test } from 'vitest';
import { found } from '../found.ts';
import { brief } from './brief.ts';

type Message = 'write' | 'read' | 'written' | 'wait' | { readonly value: number };

/** Forgets its writes. */
const register = behavior<object, Message>({
  start: () => ({}),
  receive: (_state, message, ctx) => ctx.reply(message === 'read' ? { value: 0 } : 'written'),
});

/** Writes, waits for a while, or less if its timer fires, and reads. */
const client = behavior<{ call: number; waits: number }, Message>({
  start(ctx) {
    ctx.send('register', 'write');
    return { call: ctx.history.call({ f: 'write', value: 1 }), waits: 3 };
  },
  receive(state, message, ctx) {
    if (message === 'written') {
      ctx.history.return(state.call);
      ctx.setTimer('enough', 10);
    } else if (message === 'wait') state.waits -= 1;
    else if (typeof message === 'object') return ctx.history.return(state.call, message.value);
    if (state.waits > 0) return ctx.send(ctx.self, 'wait');
    state.call = ctx.history.call({ f: 'read' });
    ctx.send('register', 'read');
  },
  timer(state) {
    state.waits = 1;
  },
});

test('the result of the search for the shortest ends where it is no longer linearizable', async () => {
  const system = defineSystem({
    processes: { register, client },
    oracles: { atomic: linearizable(models.register(0)) },
  });
  const trace = await found(system, { strategy: 'random', weights: { fire: 0 } });
  const minimized = await minimize(system, trace, { passes: ['single:place', 'single:type'] });
  expect(brief(minimized.trace)).toEqual([
    'start register',
    'start client',
    'register gets "write" from client',
    'client gets "written" from register',
    'client enough',
    'client gets "wait" from client',
    'register gets "read" from client',
    'client gets {"value":0} from register',
  ]);
  expect([trace.events.length, minimized.certificate]).toEqual([9, 'shortest']);
});
