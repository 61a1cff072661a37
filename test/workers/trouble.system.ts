import { isMainThread } from 'node:worker_threads';
import fc from 'fast-check';
import { behavior, defineSystem, generate, send, until, type World } from 'culprit';

type Message = { type: 'draw'; n: number };

/** Drawn in few executions: then the problem occurs. */
const UNLUCKY = 13;

/** `what` selects the problem. Drawing 7 violates an invariant in any case. */
export default defineSystem({ what: 'nothing' }, ({ what }) => {
  /** Throws if this problem is selected. */
  const trouble = (where: string, n: number | undefined): false => {
    if (what === where && n === UNLUCKY) throw new Error(`${where} does not like ${n}`);
    return false;
  };
  const endless = (): void => {
    for (;;);
  };

  const node = behavior<{ last: number }, Message>({
    start: () => ({ last: what === 'differs' && !isMainThread ? 2 : 0 }),
    receive(state, { n }, ctx): void | Promise<void> {
      state.last = n;
      if (n !== UNLUCKY) return undefined;
      if (what === 'peer') ctx.send('nobody', { type: 'draw', n });
      if (what === 'hang') endless();
      if (what === 'hang after an await') return Promise.resolve(ctx.sleep(1)).then(endless);
      return isMainThread ? undefined : elsewhere(state);
    },
  });

  /** Problems in workers only. */
  const elsewhere = (state: { last: number }): void => {
    if (what === 'exit') process.exit(3);
    if (what === 'uncaught') setImmediate(() => trouble('uncaught', state.last));
    if (what === 'state') state.last = 7;
  };

  const last = <P extends object>(world: World<P>): number | undefined => world.up(node)[0]?.state.last;
  const draws = fc.integer({ min: 0, max: 150 }).map((n) => {
    trouble('generator', n);
    if (what === 'endless generator' && n === UNLUCKY) endless();
    return send('a', { type: 'draw' as const, n });
  });

  return defineSystem({
    processes: { a: node },
    workload: [
      generate(1, [1, draws]),
      until((world) => trouble('until', last(world)) || world.length > 2),
      generate(1, [1, draws]),
    ],
    triggers: [
      {
        after: (event) => event.kind === 'deliver' && trouble('trigger', event.message.n),
        do: send('a', { type: 'draw', n: 0 }),
      },
    ],
    sometimes: {
      odd: (world) => trouble('sometimes', last(world)),
      // Asked until it is reached, and in the order of the seeds it is reached before it would throw.
      once: (world) => last(world) === 1 || trouble('once', last(world)),
    },
    invariants: {
      notSeven: (world) => last(world) !== 7 || 'a has drawn 7',
      lucky: (world) => !trouble('invariant', last(world)),
    },
  });
});
