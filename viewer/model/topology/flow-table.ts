import { fromPortable } from 'culprit/trace';
import { flowWords, type Flow } from '../../../src/networks/words/flow-words.ts';
import type { StationNames } from '../../../src/networks/words/station-names.ts';
import { switchIn, type ShownPort } from '../../../src/networks/words/switch-in.ts';

/** A flow entry in words. */
interface EntryText {
  readonly text: string;
  /** Whether the event at the cursor added or removed it. */
  readonly how: 'same' | 'new' | 'gone';
  /** Whether a packet matched it in that event. */
  readonly isHit: boolean;
}

export interface SwitchTable {
  /** Those of a very large table only in part. */
  readonly entries: readonly EntryText[];
  /** How many entries there are. */
  readonly total: number;
  readonly ports: readonly ShownPort[];
}

/** Of a larger table, only so many entries are looked at, and not what became of them. */
const COMPARED_MAX = 1_000;

/** The flow table and the ports in a state, as portable data; undefined if the process is no switch. */
export function tableIn(state: unknown, before: unknown, names: StationNames): SwitchTable | undefined {
  const now = switchIn(readable(state));
  if (now === undefined) return undefined;
  const { entries, ports } = now;
  const old = switchIn(readable(before))?.entries ?? entries;
  const isLarge = entries.length > COMPARED_MAX || old.length > COMPARED_MAX;
  const shown = entries.slice(0, COMPARED_MAX).map((entry) => ({ text: flowWords(entry, names), entry }));
  const was = isLarge ? shown : old.map((entry) => ({ text: flowWords(entry, names), entry }));
  const known = new Map(was.map(({ text, entry }) => [text, packetsOf(entry)]));
  const left = new Set(shown.map(({ text }) => text));
  return {
    entries: [
      ...shown.map(({ text, entry }): EntryText => ({
        text,
        how: known.has(text) ? 'same' : 'new',
        isHit: packetsOf(entry) > (known.get(text) ?? 0),
      })),
      ...was.filter(({ text }) => !left.has(text)).map(({ text }): EntryText => ({ text, how: 'gone', isHit: false })),
    ],
    total: entries.length,
    ports,
  };
}

/** How many packets an entry has matched. */
const packetsOf = ({ packetCount }: Flow): number => (typeof packetCount === 'number' ? packetCount : 0);

/** A process without a state has none to read. */
const readable = (portable: unknown): unknown =>
  typeof portable !== 'object' || portable === null || '$nothing' in portable ? undefined : fromPortable(portable);
