import { behaviour, check, defineSystem, type System } from 'culprit';
import type { Measured } from '../row.ts';

/** All (2K)! / 2^K orders in which K clients can read and then write a register. */
export async function* register(): AsyncGenerator<Measured> {
  for (const clients of [2, 3, 4, 5]) {
    const { executions, redundant, seconds, verdict } = await check(lostUpdates(clients));
    if (verdict !== 'holds' || redundant > 0) throw new Error(`${verdict}, ${redundant} executions begun in vain`);
    const one = { case: `${clients} clients read and then write a register` };
    yield { ...one, metric: 'all executions', value: executions, unit: 'executions' };
    yield { ...one, metric: 'time', value: seconds, unit: 's', ...(clients === 5 ? { target: '<= 6' } : {}) };
    yield { ...one, metric: 'speed', value: executions / seconds, unit: 'executions/s' };
  }
}

function lostUpdates(clients: number): System {
  const holder = behaviour<{ value: number }, 'read' | number>({
    start: () => ({ value: 0 }),
    receive(state, message, ctx) {
      if (message === 'read') ctx.reply(state.value);
      else state.value = message;
    },
  });
  const client = behaviour<object, 'read' | number>({
    start(ctx) {
      ctx.send('register', 'read');
      return {};
    },
    receive: (_state, value, ctx) => ctx.send('register', Number(value) + 1),
  });
  const all = Array.from({ length: clients }, (_, at) => [`client ${at}`, client] as const);
  return defineSystem({ processes: { register: holder, ...Object.fromEntries(all) } });
}
