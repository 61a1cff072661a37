import { behavior, defineSystem, send } from 'culprit';

// A shop charges its customers at a bank. The network between them loses messages, so the shop asks again if it gets no
// answer: a charge may arrive more than once, and the bank must make sure that it is made only once.

/** @typedef {{ type: 'buy' | 'charge' | 'charged', order: string }} Message */

const shop = behavior({
  // The initial state of a process: plain data, which its handlers change in place.
  start: () => ({ orders: /** @type {Map<string, 'unpaid' | 'shipped'>} */ (new Map()) }),
  receive(state, /** @type {Message} */ { type, order }, ctx) {
    if (type === 'buy') {
      state.orders.set(order, 'unpaid');
      ctx.send('bank', { type: 'charge', order });
      ctx.setTimer('ask again', 1_000);
    }
    if (type === 'charged') state.orders.set(order, 'shipped');
  },
  // The charge may be lost, or the answer, or both are still under way: the shop cannot know.
  timer(state, _timer, ctx) {
    for (const [order, status] of state.orders) {
      if (status === 'unpaid') ctx.send('bank', { type: 'charge', order });
    }
  },
});

const bank = behavior({
  start: () => ({ charges: /** @type {string[]} */ ([]) }),
  receive(state, /** @type {Message} */ { order }, ctx) {
    ctx.send(ctx.from, { type: 'charged', order });
    if (state.charges.includes(order)) return; // Try it: remove this line, and a customer pays twice.
    state.charges.push(order);
  },
});

export default defineSystem({
  processes: { shop, bank },
  // What the environment does, in this order, while the processes run.
  workload: [send('shop', { type: 'buy', order: 'book' }), send('shop', { type: 'buy', order: 'lamp' })],
  // How many messages may be lost. Then try this: add `crashes: 1, restarts: 1`, and the bank forgets its charges. With
  // `ctx.disk` it can remember them.
  faults: { losses: 2 },
  // What must be true after every event. An invariant returns true, or a sentence that says what is wrong.
  invariants: {
    chargedOnce(world) {
      const charges = world.up(bank).flatMap(({ state }) => state.charges);
      const twice = charges.find((order, at) => charges.indexOf(order) !== at);
      return twice === undefined || `the ${twice} is charged twice`;
    },
    shippedIsCharged(world) {
      const orders = world.up(shop).flatMap(({ state }) => [...state.orders]);
      const shipped = orders.filter(([, status]) => status === 'shipped').map(([order]) => order);
      const free = shipped.find((order) => world.up(bank).some(({ state }) => !state.charges.includes(order)));
      return free === undefined || `the ${free} is shipped, but the bank has not charged it`;
    },
  },
  // What must become true in some execution: otherwise the hunt tests less than you think.
  sometimes: {
    lampIsShipped: (world) => world.up(shop).some(({ state }) => state.orders.get('lamp') === 'shipped'),
  },
});
