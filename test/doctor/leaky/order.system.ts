import { behavior, defineSystem } from 'culprit';

/** Takes turns by a Set, which iterates in insertion order and is never filled again. */
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
