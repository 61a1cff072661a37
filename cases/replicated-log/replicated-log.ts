export type Message =
  | { readonly type: 'append'; readonly value: string }
  | { readonly type: 'replicate'; readonly index: number; readonly value: string }
  | { readonly type: 'stored'; readonly index: number };

/** What a node needs from outside: in production a network and the timers of Node. */
export interface Environment {
  readonly self: string;
  readonly peers: readonly string[];
  readonly send: (to: string, message: Message) => void;
  readonly setTimeout: (callback: () => void, ms: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
}

export interface Options {
  /** Whether a node that answers twice counts once. */
  readonly countsNodes: boolean;
  /** How often an entry is offered again to nodes that do not answer. */
  readonly retries: number;
}

const RETRY_MS = 100;

/** A log that the node with the clients copies to all others. An entry is committed when a majority has stored it. */
export class ReplicatedLog {
  readonly #environment: Environment;
  readonly #options: Options;
  readonly #entries: string[] = [];
  readonly #waiting = new Map<number, (from: string) => void>();
  #committed = 0;

  constructor(environment: Environment, options: Options) {
    this.#environment = environment;
    this.#options = options;
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  get committed(): number {
    return this.#committed;
  }

  onMessage(from: string, message: Message): void {
    if (message.type === 'append') void this.#append(message.value);
    else if (message.type === 'stored') this.#waiting.get(message.index)?.(from);
    else {
      this.#entries[message.index] = message.value;
      this.#environment.send(from, { type: 'stored', index: message.index });
    }
  }

  async #append(value: string): Promise<void> {
    const index = this.#entries.push(value) - 1;
    await this.#storedByMajority(index, value);
    this.#committed = Math.max(this.#committed, index + 1);
  }

  #storedByMajority(index: number, value: string): Promise<void> {
    const { self, peers, send, setTimeout, clearTimeout } = this.#environment;
    return new Promise((resolve) => {
      const answers: string[] = [self];
      let left = this.#options.retries;
      let timer: unknown;
      const retry = (): void => {
        for (const peer of peers) send(peer, { type: 'replicate', index, value });
        if (left-- > 0) timer = setTimeout(retry, RETRY_MS);
      };
      this.#waiting.set(index, (from) => {
        answers.push(from);
        // A node answers each copy of a message: without the set, one that answers twice counts twice.
        const copies = this.#options.countsNodes ? new Set(answers).size : answers.length;
        if (copies * 2 <= peers.length + 1) return;
        clearTimeout(timer);
        this.#waiting.delete(index);
        resolve();
      });
      retry();
    });
  }
}
