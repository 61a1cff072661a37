import { isMainThread } from 'node:worker_threads';
import { behavior, defineSystem, type World } from 'culprit';

interface Holder {
  value: number;
  writes: number;
}

const register = behavior<Holder, 'read' | number>({
  start: () => ({ value: 0, writes: 0 }),
  receive(state, message, ctx) {
    if (message === 'read') ctx.reply(state.value);
    else {
      state.value = message;
      state.writes += 1;
    }
  },
});

const client = behavior<{ wrote: number }, 'read' | number>({
  start(ctx) {
    ctx.send('register', 'read');
    return { wrote: 0 };
  },
  receive(state, value, ctx) {
    state.wrote = Number(value) + 1;
    ctx.send('register', state.wrote);
  },
});

/** Clients read a register and then write it; `what` selects the problem, in executions that are explored late. */
export default defineSystem({ clients: 4, crashes: 0, what: 'nothing' }, ({ clients, crashes, what }) => {
  const names = Array.from({ length: clients }, (_, at) => `c${at}`);

  /** No update is lost, and the last client is the first. A depth-first search comes to that late, and so do oracles. */
  const isLate = <P extends object>(world: World<P>): boolean => {
    const [held] = world.up(register);
    if (held?.state.value !== clients) return false;
    return world.up(client).find(({ name }) => name === names.at(-1))?.state.wrote === 1;
  };

  return defineSystem({
    processes: { register, ...Object.fromEntries(names.map((name) => [name, client])) },
    faults: { crashes },
    invariants: {
      fine(world) {
        // Everywhere: the reads must not depend on the thread.
        const isTwo = (what === 'exits' || what === 'imagined') && world.up(register)[0]?.state.value === 2;
        if (isTwo && !isMainThread && what === 'exits') process.exit(3);
        if (isTwo && !isMainThread) return 'so it is here';
        if (!['violated', 'looked into', 'throws'].includes(what)) return true;
        if (!isLate(world)) return true;
        if (what === 'throws') throw new Error('better late than never');
        // It reads more than before.
        return what === 'looked into' ? `of ${world.length} events the last is the first` : 'the last is the first';
      },
    },
  });
});
