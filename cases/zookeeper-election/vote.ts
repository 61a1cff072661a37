import type { Bug } from './bugs.ts';

export interface Vote {
  readonly epoch: number;
  /** The last transaction of the one that is voted for. */
  readonly zxid: number;
  readonly leader: string;
}

export const isSame = (one: Vote, other: Vote): boolean =>
  one.leader === other.leader && one.epoch === other.epoch && one.zxid === other.zxid;

/** The order of votes: by epoch, then by transaction, then by name. */
export function beats(one: Vote, other: Vote, bug: Bug): boolean {
  if (one.epoch > other.epoch) return true;
  if (one.epoch === other.epoch && one.zxid > other.zxid) return true;
  // zookeeper-1419: names decide in every epoch, so that two votes may beat each other.
  const isLevel = bug === 'zookeeper-1419' || one.epoch === other.epoch;
  return isLevel && one.zxid === other.zxid && one.leader > other.leader;
}
