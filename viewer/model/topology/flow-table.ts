import { fromPortable } from 'culprit/trace';
import { flowWords } from '../../../src/networks/words/flow-words.ts';
import type { StationNames } from '../../../src/networks/words/station-names.ts';
import { switchIn, type ShownPort } from '../../../src/networks/words/switch-in.ts';

/** A flow entry in words. */
export interface EntryText {
  readonly text: string;
  /** Whether the event at the cursor added or removed it. */
  readonly how: 'same' | 'new' | 'gone';
}

export interface SwitchTable {
  readonly entries: readonly EntryText[];
  readonly ports: readonly ShownPort[];
}

/** The flow table and the ports in a state, as portable data; undefined if the process is no switch. */
export function tableIn(state: unknown, before: unknown, names: StationNames): SwitchTable | undefined {
  const now = switchIn(readable(state));
  if (now === undefined) return undefined;
  const texts = now.entries.map((entry) => flowWords(entry, names));
  const old = switchIn(readable(before))?.entries.map((entry) => flowWords(entry, names));
  const [known, left] = [new Set(old ?? texts), new Set(texts)];
  return {
    entries: [
      ...texts.map((text): EntryText => ({ text, how: known.has(text) ? 'same' : 'new' })),
      ...(old ?? []).filter((text) => !left.has(text)).map((text): EntryText => ({ text, how: 'gone' })),
    ],
    ports: now.ports,
  };
}

/** A process without a state has none to read. */
const readable = (portable: unknown): unknown =>
  typeof portable !== 'object' || portable === null || '$nothing' in portable ? undefined : fromPortable(portable);
