import { exhibitOf } from '../view/view-model.ts';
import { textFormats, writeAs, type TextFormat } from './formats.ts';
import type { Trace } from '../trace/format.ts';
import { viewerPage } from '../view/page.ts';

/** What an execution can be written as: for other tools, or as a page for people. */
export type ExportFormat = TextFormat | 'html';

export const exportFormats: readonly ExportFormat[] = ['html', ...textFormats];

/** An execution as another tool reads it, or as a page that shows it. */
export const exportTrace = (trace: Trace, to: ExportFormat): string =>
  to === 'html' ? viewerPage(exhibitOf([{ file: trace.header.system, trace }])) : writeAs(trace, to);
