import type { App, Closed, ControllerIo, Received } from '../base/app.ts';

/** What a store and its controllers say to each other. */
export type ToStore =
  | { readonly type: 'join' }
  | { readonly type: 'lock'; readonly key: string }
  /** Enters a new key, which has to be locked. */
  | { readonly type: 'insert'; readonly key: string; readonly value: unknown }
  | { readonly type: 'put'; readonly key: string; readonly value: unknown };

export type FromStore =
  /** `life`: how often this controller has joined. */
  | { readonly type: 'joined'; readonly life: number }
  | { readonly type: 'locked' | 'failed'; readonly key: string }
  | StoredValue;

export interface StoredValue {
  readonly type: 'value';
  readonly key: string;
  /** Null if the key is gone. */
  readonly value: unknown;
}

/** The key of a controller's own entry, which is gone when its connection is. */
export const entryOf = (controller: string): string => `controller ${controller}`;

/**
 * Values by key, which all controllers hear of, and locks of single keys. A lock is for one change. It is not waited for: where two controllers
 * want the same key at once, both are refused.
 */
export class Store implements App {
  private readonly values = new Map<string, unknown>();
  /** The controller that has locked a key. */
  private readonly locks = new Map<string, string>();
  private readonly lives = new Map<string, number>();
  private readonly joined = new Set<string>();

  constructor(private readonly io: ControllerIo) {}

  receive(received: Received, from: string): void {
    const message = received as ToStore | Closed;
    if (message.type === 'join') this.join(from);
    else if (message.type === 'closed') this.leave(from);
    else if (message.type === 'lock') this.lock(message.key, from);
    else if (message.type === 'put') this.put(message.key, message.value);
    else this.insert(message.key, message.value, from);
  }

  view(): object {
    return Object.fromEntries(this.values);
  }

  private join(from: string): void {
    const life = (this.lives.get(from) ?? 0) + 1;
    this.lives.set(from, life);
    this.joined.add(from);
    this.tell(from, { type: 'joined', life });
    for (const [key, value] of this.values) this.tell(from, { type: 'value', key, value });
  }

  private leave(from: string): void {
    this.joined.delete(from);
    for (const [key, owner] of this.locks) if (owner === from) this.locks.delete(key);
    if (this.values.delete(entryOf(from))) this.tellAll(entryOf(from), null);
  }

  private lock(key: string, from: string): void {
    const owner = this.locks.get(key);
    if (owner === undefined) {
      this.locks.set(key, from);
      return this.tell(from, { type: 'locked', key });
    }
    this.io.log(`${owner} and ${from} want to lock ${key}: both are refused`);
    this.locks.delete(key);
    for (const one of [owner, from]) this.tell(one, { type: 'failed', key });
  }

  /** A controller that was refused meanwhile has nothing to insert. */
  private insert(key: string, value: unknown, from: string): void {
    if (this.locks.get(key) !== from) return;
    this.locks.delete(key);
    this.put(key, value);
  }

  private put(key: string, value: unknown): void {
    this.values.set(key, value);
    this.tellAll(key, value);
  }

  private tellAll(key: string, value: unknown): void {
    for (const one of this.joined) this.tell(one, { type: 'value', key, value });
  }

  private tell(controller: string, message: FromStore): void {
    this.io.send(controller, message);
  }
}
