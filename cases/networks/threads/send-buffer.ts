import { Worker } from 'node:worker_threads';
import type { ControllerIo } from '../base/app.ts';

type Send = ControllerIo['send'];

/** The other thread. */
const TAKER = `
  const { parentPort, workerData: { counts, isLocked } } = require('node:worker_threads');
  const [HEAD, TAIL] = [0, 1];
  for (let seen = 0; ; seen = Atomics.load(counts, TAIL)) {
    Atomics.wait(counts, TAIL, seen);
    for (let number = next(); number !== undefined; number = next()) parentPort.postMessage(number);
  }
  function next() {
    const number = Atomics.load(counts, HEAD);
    if (number >= Atomics.load(counts, TAIL)) return undefined;
    if (!isLocked) Atomics.store(counts, HEAD, number + 1);
    else if (Atomics.compareExchange(counts, HEAD, number, number + 1) !== number) return next();
    return number;
  }
`;

const [HEAD, TAIL] = [0, 1];

/** Messages in the order in which they were sent, which two threads take off. Each must be taken once. */
export class SendBuffer {
  /** Numbers that both threads see: of the next message to take, and of all that there are. */
  private readonly counts = new Int32Array(new SharedArrayBuffer(8));
  private readonly messages: Parameters<Send>[] = [];
  private readonly taken = new Set<number>();
  /** The number of the message that leaves next. */
  private next = 0;
  private isWoken = false;

  constructor(
    private readonly leave: Send,
    private readonly options: { readonly isLocked: boolean },
  ) {
    const workerData = { counts: this.counts, isLocked: options.isLocked };
    new Worker(TAKER, { eval: true, workerData }).on('message', (number: number) => this.take(number));
  }

  readonly send: Send = (...message) => {
    this.messages.push(message);
    Atomics.add(this.counts, TAIL, 1);
    Atomics.notify(this.counts, TAIL);
    if (!this.isWoken) setImmediate(() => this.takeAll());
    this.isWoken = true;
  };

  private takeAll(): void {
    this.isWoken = false;
    for (let number = this.nextNumber(); number !== undefined; number = this.nextNumber()) this.take(number);
  }

  /** The number of the next message; undefined if all are taken. Without a lock, the other thread may read the same before it is counted up. */
  private nextNumber(): number | undefined {
    const number = Atomics.load(this.counts, HEAD);
    if (number >= Atomics.load(this.counts, TAIL)) return undefined;
    if (!this.options.isLocked) Atomics.store(this.counts, HEAD, number + 1);
    else if (Atomics.compareExchange(this.counts, HEAD, number, number + 1) !== number) return this.nextNumber();
    return number;
  }

  /** Messages leave in their order, whoever took them. */
  private take(number: number): void {
    if (this.taken.has(number)) throw new Error(`message ${number} was taken twice`);
    this.taken.add(number);
    for (; this.taken.has(this.next); this.next += 1) {
      const message = this.messages[this.next];
      if (message !== undefined) this.leave(...message);
    }
  }
}
