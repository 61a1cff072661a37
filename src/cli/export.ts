import { basename } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { exhibitOf, type NamedTrace } from '../view/view-model.ts';
import { exportFormats, exportTrace, type ExportFormat } from '../export/export-trace.ts';
import { BadOption } from '../kernel/options/options.ts';
import { replaceFile } from '../files/access.ts';
import { loadSystem } from '../system/load-system.ts';
import { shownPath } from '../text/shown-path.ts';
import type { Exhibit } from '../trace/view-model.ts';
import { loadTrace } from '../files/trace-file.ts';
import { viewerPage } from '../view/page.ts';
import { Interruption } from './interruption.ts';
import { printText } from './output/output.ts';
import { placed } from './places.ts';
import { printLines } from './output/print.ts';
import { errorStyle } from './output/style.ts';
import { whyForPage, WhyStopped } from './why.ts';
import { executes, moduleOf, SYSTEM_OPTION } from './trace-module.ts';

interface Options {
  readonly to: ExportFormat;
  readonly out?: string;
  readonly why: boolean;
  readonly system?: string;
}

export const exportCommand = (): Command =>
  new Command('export')
    .description('write a saved trace as a web page or for other tools')
    .argument('<trace>', 'a trace file')
    .argument('[other]', 'another trace to show side by side (html)')
    .option('--to <format>', `output format: ${exportFormats.join(', ')}`, formatIn, 'mermaid')
    .option('--out <file>', 'output file; default: the terminal')
    .option('--why', 'with html: find out why first, which runs the system', false)
    .option('--system <module>', SYSTEM_OPTION)
    .addHelpText('after', executes('With --why, runs'))
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
Formats:
  html     a self-contained page, to step through the trace in a browser
  mermaid  a sequence diagram, for Markdown files and Mermaid's editor
  shiviz   a log with vector clocks, in the default format of ShiViz
  chrome   trace events, for Perfetto and chrome://tracing
  json     the trace as one JSON object

Example:
  culprit export .culprit/mutual-exclusion-3f2a.trace --to html --out race.html`;

function formatIn(given: string): ExportFormat {
  const found = exportFormats.find((format) => format === given);
  if (found === undefined) throw new InvalidArgumentError(`Choose one of ${exportFormats.join(', ')}.`);
  return found;
}

async function run(path: string, other: string | undefined, options: Options): Promise<void> {
  const { out } = options;
  const text = await written(path, other, options).catch((error: unknown) => {
    if (error instanceof WhyStopped) printStopped(error, out);
    throw error;
  });
  if (out === undefined) {
    printText(text);
    return;
  }
  replaceFile(out, Buffer.from(text), 'Choose another file with --out, or omit --out to print to the terminal.');
  printLines([`wrote     ${shownPath(out)}`]);
}

/** The page, with the explanation of its first trace and the places of its handlers. */
async function pageWithWhy(
  path: string,
  executions: readonly NamedTrace[],
  given: string | undefined,
): Promise<Exhibit> {
  const [first, ...others] = executions as [NamedTrace, ...NamedTrace[]];
  const { system } = await loadSystem(given ?? moduleOf(first.trace, path, 'export'));
  const interruption = Interruption.listening();
  const shown = [await placed(first, system), ...others];
  return exhibitOf(shown, { why: await whyForPage(system, first.trace, interruption) });
}

/** Half a page would be useless, so nothing is written. */
function printStopped({ line }: WhyStopped, out: string | undefined): void {
  const missing = out === undefined ? 'nothing is written' : `${shownPath(out)} is not written`;
  process.stderr.write(`${line.replace(/^\w+/, errorStyle.quiet)}; ${missing}\n`);
}

async function written(path: string, other: string | undefined, { to, why, system }: Options): Promise<string> {
  const paths = other === undefined ? [path] : [path, other];
  if (to === 'html') {
    const executions = paths.map((file) => ({ file: basename(file), trace: loadTrace(file) }));
    return viewerPage(why ? await pageWithWhy(path, executions, system) : exhibitOf(executions));
  }
  if (why) throw new BadOption(`the format ${to} cannot show why.`, 'Omit --why, or use --to html.');
  if (other === undefined) return exportTrace(loadTrace(path), to);
  throw new BadOption(`the format ${to} shows one execution, not two.`, 'Give one trace, or use --to html.');
}
