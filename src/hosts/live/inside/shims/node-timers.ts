import { basename } from 'node:path';
import timersModule from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Culprit } from './node-culprit.ts';

type Callback = (...args: never[]) => unknown;

/** The delays that Node has; any other is 1. */
const LONGEST_MS = 2 ** 31 - 1;

const delayOf = (ms: unknown): number => (Number(ms) >= 1 && Number(ms) <= LONGEST_MS ? Math.trunc(Number(ms)) : 1);

/** Replaces the timers of Node by those of culprit. */
export function replaceTimers(culprit: Culprit): void {
  const timers = new Timers(culprit);
  const setTimeout = (callback: Callback, ms?: unknown, ...args: unknown[]): Timeout =>
    new Timeout(timers, callback, delayOf(ms), args, false);
  const setInterval = (callback: Callback, ms?: unknown, ...args: unknown[]): Timeout =>
    new Timeout(timers, callback, delayOf(ms), args, true);
  const clear = (timer: unknown): void => {
    (timer instanceof Timeout ? timer : timers.set.get(String(timer)))?.close();
  };
  const sleep = (ms?: unknown, value?: unknown): Promise<unknown> =>
    new Promise((resolve) => new Timeout(timers, resolve, delayOf(ms), [value], false));
  Object.defineProperty(setTimeout, promisify.custom, { value: sleep });
  const replaced = { setTimeout, setInterval, clearTimeout: clear, clearInterval: clear };
  Object.assign(globalThis, replaced);
  Object.assign(timersModule, replaced);
  Object.assign(timersPromises, { setTimeout: sleep });
}

/** The timers that are set, by name. */
class Timers {
  readonly set = new Map<string, Timeout>();

  constructor(readonly culprit: Culprit) {
    culprit.onTimer((name) => this.set.get(name)?.fire());
  }

  /** Names are the same in all executions: the lowest number that no timer of that name has. */
  unusedName(like: string): string {
    let name = like;
    for (let nth = 2; this.set.has(name); nth++) name = `${like} (${nth})`;
    return name;
  }

  /** The program runs as long as a timer is set that it waits for. */
  changed(): void {
    this.culprit.isAwaited = [...this.set.values()].some((timer) => timer.hasRef());
  }
}

/** What `setTimeout` gives back, as in Node. */
class Timeout {
  private readonly name: string;
  private isRef = true;

  constructor(
    private readonly timers: Timers,
    private readonly callback: Callback,
    private readonly ms: number,
    private readonly args: readonly unknown[],
    private readonly isRepeated: boolean,
  ) {
    if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be of type function.');
    this.name = timers.unusedName(callback.name === '' ? callSite() : callback.name);
    this.refresh();
  }

  refresh(): this {
    this.timers.set.set(this.name, this);
    this.timers.culprit.tell({ name: 'timer', timer: this.name, ms: this.ms, every: this.isRepeated });
    return this.changed();
  }

  close(): this {
    if (this.timers.set.get(this.name) !== this) return this;
    this.timers.set.delete(this.name);
    this.timers.culprit.tell({ name: 'timer', timer: this.name, ms: null });
    return this.changed();
  }

  fire(): void {
    if (!this.isRepeated) this.timers.set.delete(this.name);
    this.changed();
    this.callback(...(this.args as never[]));
  }

  ref(): this {
    this.isRef = true;
    return this.changed();
  }

  unref(): this {
    this.isRef = false;
    return this.changed();
  }

  hasRef(): boolean {
    return this.isRef;
  }

  [Symbol.toPrimitive](): string {
    return this.name;
  }

  private changed(): this {
    this.timers.changed();
    return this;
  }
}

const own = import.meta.url;

/** The line of the program that sets a timer: `controller.js:12`. */
function callSite(): string {
  const places = (new Error('where').stack ?? '').matchAll(/([^\s(]+):(\d+):\d+\)?$/gm);
  const isOther = (file: string): boolean => file !== own && !file.startsWith('node:');
  const [, file = 'unknown', line = '0'] = [...places].find(([, one = '']) => isOther(one)) ?? [];
  return `${basename(file)}:${line}`;
}
