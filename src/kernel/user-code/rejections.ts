import { globals } from './timed-script.ts';

/** Says whether a rejected promise is its own business. */
export type Claim = (promise: object, error: unknown) => boolean;

type RejectionListener = (error: unknown, promise: object) => void;

/** Shared by all copies of this module in a thread, of which Jest makes one for each test file. */
interface Registry {
  readonly claims: Set<Claim>;
  /** The listeners before us, such as a test runner: they get rejections that belong to no execution. */
  others: readonly RejectionListener[];
  readonly listener: RejectionListener;
}

const KEY = Symbol.for('culprit.rejections');
const EVENT = 'unhandledRejection';

// Node's own process: the one that Jest gives to a test file is a copy, to which nothing is reported.
const nodeProcess = globals['process' as never] as NodeJS.Process;
const registry = (globals[KEY] ??= newRegistry()) as Registry;

/** From here on, unhandled rejections are offered to `claim` before anybody else hears of them. */
export function claimRejections(claim: Claim): void {
  const { claims, listener } = registry;
  if (claims.size === 0) {
    registry.others = nodeProcess.listeners(EVENT) as RejectionListener[];
    nodeProcess.removeAllListeners(EVENT);
    nodeProcess.on(EVENT, listener);
  }
  claims.add(claim);
}

export function ignoreRejections(claim: Claim): void {
  const { claims, listener, others } = registry;
  if (!claims.delete(claim) || claims.size > 0) return;
  nodeProcess.off(EVENT, listener);
  for (const other of others) nodeProcess.on(EVENT, other);
}

function newRegistry(): Registry {
  const claims = new Set<Claim>();
  const made: Registry = {
    claims,
    others: [],
    listener(error, promise) {
      for (const claim of claims) if (claim(promise, error)) return;
      for (const other of made.others) other.call(nodeProcess, error, promise);
      // As Node does without a listener.
      if (made.others.length === 0 && nodeProcess.listenerCount(EVENT) === 1) throw error;
    },
  };
  return made;
}
