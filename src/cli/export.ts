import { Command, InvalidArgumentError } from 'commander';
import { exportFormats, exportTrace, type ExportFormat } from '../explain/exports/formats.ts';
import { loadTrace, replaceFile, shownPath } from '../trace-file.ts';
import { printLines } from './print.ts';

interface Options {
  readonly to: ExportFormat;
  readonly out?: string;
}

export const exportCommand = (): Command =>
  new Command('export')
    .description('write a saved trace for other tools')
    .argument('<trace>', 'a trace file')
    .option('--to <format>', `what for: ${exportFormats.join(', ')}`, formatIn, 'mermaid')
    .option('--out <file>', 'where to write it, instead of the terminal')
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
Formats:
  mermaid  a sequence diagram, for Markdown files and Mermaid's editor
  shiviz   a log with vector clocks, as ShiViz reads it by default
  chrome   trace events, for Perfetto and chrome://tracing
  json     the trace as one JSON object

Example:
  culprit export .culprit/mutual-exclusion-3f2a.trace --to mermaid --out race.mmd`;

function formatIn(given: string): ExportFormat {
  const found = exportFormats.find((format) => format === given);
  if (found === undefined) throw new InvalidArgumentError(`It is one of ${exportFormats.join(', ')}.`);
  return found;
}

function run(path: string, { to, out }: Options): void {
  const text = exportTrace(loadTrace(path), to);
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  replaceFile(out, Buffer.from(text));
  printLines([`wrote     ${shownPath(out)}`]);
}
