import { behavior, defineSystem } from 'culprit';

/** Whose turn it is: a Set goes by the order in which it was filled, and this one is never filled anew. */
const turns = new Set(['ann', 'bob', 'eve']);

const table = behavior({
  start() {
    const [first = ''] = turns;
    turns.delete(first);
    turns.add(first);
    return { order: [...turns] };
  },
  receive() {},
});

export default defineSystem({ processes: { table }, invariants: { any: () => true } });
