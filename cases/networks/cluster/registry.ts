import type { ControllerIo } from '../base/app.ts';
import type { FromStore, StoredValue, ToStore } from './store.ts';

const KEY = /^switch (\d+)$/;

/** After a refusal, a controller waits for up to so long. */
const AGAIN_MS = 1_000;

export interface RegistryOptions {
  /** Bug: a refused lock is final. */
  readonly isStrict: boolean;
  /** Called for a switch that cannot be entered. */
  readonly refuse: (dpid: number) => void;
}

/** The switches in the store, each with its first controller. Entering one needs the lock of its key. */
export class Registry {
  /** The controller of each switch. */
  private readonly entered = new Map<number, string>();
  private readonly refused = new Set<number>();

  constructor(
    private readonly io: ControllerIo,
    private readonly tell: (message: ToStore) => void,
    private readonly options: RegistryOptions,
  ) {}

  controllerOf(dpid: number): string | undefined {
    return this.entered.get(dpid);
  }

  enter(dpid: number): void {
    if (this.refused.has(dpid)) this.options.refuse(dpid);
    else if (!this.entered.has(dpid)) this.tell({ type: 'lock', key: `switch ${dpid}` });
  }

  answer({ type, key }: Extract<FromStore, { readonly type: 'locked' | 'failed' }>): void {
    const dpid = dpidIn(key);
    if (dpid === undefined) return;
    if (type === 'locked') this.tell({ type: 'insert', key, value: this.io.self });
    else this.fail(dpid);
  }

  learn({ key, value }: StoredValue): void {
    const dpid = dpidIn(key);
    if (dpid !== undefined) this.entered.set(dpid, String(value));
  }

  private fail(dpid: number): void {
    this.io.log(`failed to obtain lock of s${dpid}`);
    if (this.options.isStrict) {
      this.refused.add(dpid);
      return this.options.refuse(dpid);
    }
    const enterAgain = (): void => this.enter(dpid);
    // At different times, so that the two do not meet again.
    this.io.setTimeout(enterAgain, this.io.random() * AGAIN_MS);
  }
}

function dpidIn(key: string): number | undefined {
  const found = KEY.exec(key)?.[1];
  return found === undefined ? undefined : Number(found);
}
