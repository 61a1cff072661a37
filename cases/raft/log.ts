import type { Bug } from './bugs.ts';

export interface Entry {
  readonly index: number;
  readonly term: number;
  readonly command: string;
}

export interface Log {
  /** The index of the first entry. */
  readonly first: number;
  readonly entries: Entry[];
}

/**
 * An index of 0 means: before the first entry. raft-58b: the first entry itself has the index 0, so the entry after it
 * looks like the first.
 */
export const emptyLog = (bug: Bug): Log => ({ first: bug === 'raft-58b' ? 0 : 1, entries: [] });

export const lastIndex = ({ first, entries }: Log): number => first + entries.length - 1;

export const lastTerm = ({ entries }: Log): number => entries.at(-1)?.term ?? 0;

export const entryAt = ({ first, entries }: Log, index: number): Entry | undefined => entries[index - first];

/** The entry before this index, as AppendEntries names it: index 0 of term 0 if there is none. */
export function before(log: Log, index: number): { prevIndex: number; prevTerm: number } {
  const prevIndex = Math.max(0, index - 1);
  return { prevIndex, prevTerm: prevIndex === 0 ? 0 : (entryAt(log, prevIndex)?.term ?? 0) };
}

/** Entries from this index on, no more than fit into one message. */
export const batchFrom = ({ first, entries }: Log, index: number): Entry[] =>
  entries.slice(index - first, index - first + ENTRIES_MAX);

const ENTRIES_MAX = 5;

/** Whether the log has the entry that comes before those of a message. */
export const hasBefore = (log: Log, prevIndex: number, prevTerm: number): boolean =>
  (prevIndex === 0 && prevTerm === 0) || entryAt(log, prevIndex)?.term === prevTerm;

/** Takes entries over from a leader whose log is the same up to the first of them. */
export function append(log: Log, added: readonly Entry[], bug: Bug): void {
  for (const entry of added) {
    const place = entry.index - log.first;
    if (log.entries[place]?.term === entry.term) continue;
    // A conflict: this entry and all after it are from a leader that did not live to commit them.
    log.entries.splice(place);
    log.entries.push(entry);
  }
  // raft-66: the rest is always removed, although it may be from a message that was sent later.
  const last = added.at(-1);
  if (bug === 'raft-66' && last !== undefined) log.entries.splice(last.index - log.first + 1);
}
