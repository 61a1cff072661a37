import { exhibitOf } from '../view/view-model.ts';
import type { Trace } from '../trace/format.ts';
import { viewerPage } from '../view/page.ts';
import { printableJson } from '../text/printable.ts';
import { chrome } from './chrome.ts';
import { mermaid } from './mermaid.ts';
import { shiviz } from './shiviz.ts';
import { written } from '../explain/too-large.ts';

/** The formats of other tools. */
const writers = {
  mermaid,
  shiviz,
  chrome,
  json: (trace: Trace): string => `${printableJson(JSON.stringify(trace, undefined, 2))}\n`,
} satisfies Readonly<Record<string, (trace: Trace) => string>>;

type TextFormat = keyof typeof writers;

/** A format of another tool, or a page for people. */
export type ExportFormat = TextFormat | 'html';

export const exportFormats: readonly ExportFormat[] = ['html', ...(Object.keys(writers) as TextFormat[])];

/** Writes an execution in the format of another tool, or as a page. */
export const exportTrace = (trace: Trace, to: ExportFormat): string =>
  to === 'html' ? viewerPage(exhibitOf([{ file: trace.header.system, trace }])) : written(to, () => writers[to](trace));
