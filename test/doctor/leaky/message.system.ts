import { randomUUID } from 'node:crypto';
import { behavior, defineSystem } from 'culprit';

// The difference shows when the message arrives, two events after it was made.
const client = behavior<object, { id: string }>({
  start(ctx) {
    ctx.send('server', { id: randomUUID() });
    return {};
  },
  receive() {},
});

const server = behavior<{ seen: number }, { id: string }>({
  start: () => ({ seen: 0 }),
  receive(state) {
    state.seen += 1;
  },
});

export default defineSystem({ processes: { client, server }, invariants: { any: () => true } });
