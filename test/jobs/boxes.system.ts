import { behavior, crash, defineSystem, restart, send } from 'culprit';
import { ticking } from '../twins/ticking.ts';

interface Message {
  readonly type: string;
}

/** Says boom some time after a bang, if it was started again before. */
const server = ticking({
  receive(box, message) {
    const isBang = (message as Message).type === 'bang';
    if (isBang && (box.lives > 1 || box.self === 'server')) box.after(10, () => box.send('client', { type: 'boom' }));
  },
});

const client = behavior<{ booms: number }, Message>({
  start: () => ({ booms: 0 }),
  receive(state, { type }) {
    if (type === 'boom') state.booms += 1;
  },
});

/** Processes that act by themselves, on a fake clock: two booms are too many, and need two bangs and a crash. */
export default defineSystem({ isBroken: true, noise: 6 }, ({ isBroken, noise }) =>
  defineSystem({
    processes: { server, other: server, client },
    pace: { roundMs: 20, quietMs: 100 },
    workload: [
      ...Array.from({ length: noise }, (_, at) => send(at % 2 === 0 ? 'server' : 'other', { type: `noise ${at}` })),
      send('server', { type: 'bang' }),
      crash('other'),
      restart('other'),
      send('other', { type: 'bang' }),
    ],
    invariants: {
      fewBooms: (world) => !isBroken || (world.process('client').state?.booms ?? 0) < 2,
    },
  }),
);
