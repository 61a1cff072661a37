import { behavior, fromClass, type Io as ClassIo } from 'culprit';
import type { AnyBehavior, FakeClock, Io } from 'culprit/kernel';
import { tickingHost } from '../twins/ticking.ts';
import { testHost, type Order } from './conformance.ts';

const onPurpose = (): never => {
  throw new Error('thrown on purpose');
};

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
        switch (order.do) {
          case 'set':
            state.value = order.to;
            return;
          case 'send':
            return ctx.send('peer', order.message as Order);
          case 'send and change':
            ctx.send('peer', order.message as unknown as Order);
            order.message.n = 99;
            return;
          case 'change':
            order.n = 99;
            return;
          case 'await':
            return Promise.resolve().then(() => void (state.value = order.to));
          case 'throw':
            return onPurpose();
          default:
            return;
        }
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
    switch (order.do) {
      case 'set':
        this.#value = order.to;
        return;
      case 'send':
        return this.io.send('peer', order.message);
      case 'send and change':
        this.io.send('peer', order.message);
        order.message.n = 99;
        return;
      case 'change':
        order.n = 99;
        return;
      case 'await':
        return Promise.resolve().then(() => void (this.#value = order.to));
      case 'throw':
        return onPurpose();
      default:
        return;
    }
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

  after(ms: number, happen: () => void): void {
    (this.io.clock as FakeClock).after(ms, happen);
  }

  take(order: Order): void | Promise<void> {
    switch (order.do) {
      case 'set':
        this.value = order.to;
        return;
      case 'send':
        return this.io.send('peer', order.message);
      case 'send and change':
        this.io.send('peer', order.message);
        order.message.n = 99;
        return;
      case 'change':
        order.n = 99;
        return;
      case 'await':
        return new Promise((resolve) => {
          this.after(30, () => {
            this.value = order.to;
            resolve();
          });
        });
      case 'throw':
        return onPurpose();
      case 'send later':
        return this.after(order.ms, () => this.io.send('peer', order.message));
      case 'exit':
        return this.after(10, () => this.io.exited({ code: 1 }));
    }
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
