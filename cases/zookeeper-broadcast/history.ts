/** A transaction's number: the epoch of the leader that proposed it, and its place among the proposals of that leader. */
export interface Zxid {
  readonly epoch: number;
  readonly count: number;
}

export interface Transaction extends Zxid {
  readonly value: string;
}

/** What a server has logged, in order. */
export type History = Transaction[];

const NOTHING: Zxid = { epoch: 0, count: 0 };

export function lastZxid(history: History): Zxid {
  const { epoch, count } = history.at(-1) ?? NOTHING;
  return { epoch, count };
}

/** Positive where the first is later. */
export const compareZxids = (one: Zxid, other: Zxid): number => one.epoch - other.epoch || one.count - other.count;

export const upTo = (history: History, zxid: Zxid): History =>
  history.filter((transaction) => compareZxids(transaction, zxid) <= 0);

/** The next number that a leader of this epoch gives. */
export function nextZxid(history: History, epoch: number): Zxid {
  const last = lastZxid(history);
  return { epoch, count: last.epoch === epoch ? last.count + 1 : 1 };
}

/** How a learner comes to have the history of its leader: by what it lacks, or by all of it. */
export interface Sync {
  readonly kind: 'DIFF' | 'SNAP';
  readonly transactions: History;
}

/** Only numbers are compared: a learner whose last number the leader knows lacks what comes after it. */
export function syncFrom(last: Zxid, history: History): Sync {
  const isKnown = last.epoch === 0 || history.some((transaction) => compareZxids(transaction, last) === 0);
  if (!isKnown) return { kind: 'SNAP', transactions: history };
  return { kind: 'DIFF', transactions: history.filter((transaction) => compareZxids(transaction, last) > 0) };
}

export const synced = (history: History, { kind, transactions }: Sync): History =>
  kind === 'DIFF' ? [...history, ...transactions] : transactions;
