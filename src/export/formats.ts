import type { Trace } from '../trace/format.ts';
import { printableJson } from '../text/printable.ts';
import { chrome } from './chrome.ts';
import { mermaid } from './mermaid.ts';
import { shiviz } from './shiviz.ts';
import { written } from '../text/too-large.ts';

const writers = {
  mermaid,
  shiviz,
  chrome,
  json: (trace: Trace): string => `${printableJson(JSON.stringify(trace, undefined, 2))}\n`,
} satisfies Readonly<Record<string, (trace: Trace) => string>>;

/** Tools that an execution can be written for. */
export type TextFormat = keyof typeof writers;

export const textFormats = Object.keys(writers) as readonly TextFormat[];

/** An execution as another tool reads it. */
export const writeAs = (trace: Trace, to: TextFormat): string => written(to, () => writers[to](trace));
