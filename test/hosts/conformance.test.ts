import { behavior, fromClass, type Io as ClassIo } from 'culprit';
import type { AnyBehavior, FakeClock, Io } from 'culprit/kernel';
import { tickingHost } from '../twins/ticking.ts';
import { testHost, type Order } from './conformance.ts';

/** The means by which a process obeys orders. */
interface Hands {
  readonly set: (value: number) => void;
  readonly send: (message: unknown) => void;
  /** Only a process that acts by itself lets something happen later, and exits. */
  readonly after?: (ms: number, happen: () => void) => void;
  readonly exit?: () => void;
}

/** Does what an order says. */
function obey(order: Order, { set, send, after, exit }: Hands): void | Promise<void> {
  switch (order.do) {
    case 'set':
      return set(order.to);
    case 'send':
      return send(order.message);
    case 'send and change':
      send(order.message);
      order.message.n = 99;
      return;
    case 'change':
      order.n = 99;
      return;
    case 'await':
      if (after === undefined) return Promise.resolve().then(() => set(order.to));
      return new Promise<void>((resolve) => after(30, resolve)).then(() => set(order.to));
    case 'throw':
      throw new Error('thrown on purpose');
    case 'send later':
      return after?.(order.ms, () => send(order.message));
    case 'exit':
      return after?.(10, () => exit?.());
  }
}

testHost({
  name: 'actor',
  guarantees: { forkable: true, repeatable: true, controlled: true },
  seesItsEnd: false,
  make: (calls) =>
    behavior<{ value: number }, Order>({
      start() {
        calls.push('start');
        return { value: 0 };
      },
      receive(state, order, ctx) {
        calls.push('take');
        return obey(order, {
          set: (value) => void (state.value = value),
          send: (message) => ctx.send('peer', message as Order),
        });
      },
    }),
});

/** A class with a private field, as a user has it. */
class Node {
  #value = 0;

  constructor(private readonly io: ClassIo) {}

  get value(): number {
    return this.#value;
  }

  take(order: Order): void | Promise<void> {
    return obey(order, {
      set: (value) => void (this.#value = value),
      send: (message) => this.io.send('peer', message),
    });
  }
}

testHost({
  name: 'opaque',
  guarantees: { forkable: false, repeatable: true, controlled: true },
  seesItsEnd: false,
  make: (calls) =>
    fromClass(Node, {
      create(io) {
        calls.push('start');
        return new Node(io);
      },
      receive(node, order: Order) {
        calls.push('take');
        return node.take(order);
      },
      view: ({ value }) => ({ value }),
    }),
});

/** A black box on a fake clock, which passes on everything that it does. */
class Box {
  value = 0;

  constructor(readonly io: Io) {}

  take(order: Order): void | Promise<void> {
    return obey(order, {
      set: (value) => void (this.value = value),
      send: (message) => this.io.send('peer', message),
      after: (ms, happen) => (this.io.clock as FakeClock).after(ms, happen),
      exit: () => this.io.exited({ code: 1 }),
    });
  }
}

const boxes = (calls: string[], atEnd: (box: Box) => void): AnyBehavior => ({
  host: tickingHost,
  start(ctx) {
    calls.push('start');
    return new Box(ctx as unknown as Io);
  },
  receive(box, order) {
    calls.push('take');
    return (box as Box).take(order as Order);
  },
  view: (box) => ({ value: (box as Box).value }),
  close(box) {
    calls.push('close');
    atEnd(box as Box);
  },
});

testHost({
  name: 'ticking',
  guarantees: { forkable: false, repeatable: false, controlled: false },
  seesItsEnd: true,
  make: (calls) => boxes(calls, () => undefined),
});

testHost({
  name: 'ticking, with a last word',
  guarantees: { forkable: false, repeatable: false, controlled: false },
  seesItsEnd: true,
  lastWord: 'goodbye',
  make: (calls) => boxes(calls, ({ io }) => io.send('peer', 'goodbye')),
});
