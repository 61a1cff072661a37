import { basename, dirname, relative, resolve, sep } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { exhibitOf, type NamedTrace } from '../view/view-model.ts';
import { exportFormats, exportTrace, type ExportFormat } from '../export/export-trace.ts';
import { mininetOf } from '../export/mininet/mininet.ts';
import { pcapngOf } from '../export/pcapng/pcapng.ts';
import { testFileOf } from '../export/test-file.ts';
import { BadOption } from '../kernel/options/options.ts';
import { replaceFile } from '../files/access.ts';
import { loadSystem } from '../system/load-system.ts';
import { shownPath } from '../text/shown-path.ts';
import type { Exhibit } from '../trace/view-model.ts';
import { loadTrace } from '../files/trace-file.ts';
import { viewerPage } from '../view/page.ts';
import { Interruption } from './interruption.ts';
import { printContent } from './output/output.ts';
import { placed } from './places.ts';
import { printErrorLines, printLines } from './output/lines.ts';
import { whyForPage, WhyStopped } from './why.ts';
import { executes, moduleOf, SYSTEM_OPTION } from './trace-module.ts';

/** The formats of text, one of bytes, and those that depend on where they are written or on a network. */
type Format = ExportFormat | 'pcapng' | 'mininet' | 'test';

const formats: readonly Format[] = [...exportFormats, 'pcapng', 'mininet', 'test'];

interface Options {
  readonly to: Format;
  readonly out?: string;
  readonly channel?: string;
  readonly why: boolean;
  readonly system?: string;
}

export const exportCommand = (): Command =>
  new Command('export')
    .description('write a saved trace as a web page or for other tools')
    .argument('<trace>', 'a trace file')
    .argument('[other]', 'another trace to show side by side (html)')
    .option('--to <format>', `output format: ${formats.join(', ')}`, formatIn, 'mermaid')
    .option(
      '-o, --out <file>',
      'output file; default: standard output, or a file beside the trace if that is a terminal',
    )
    .option('--channel <name>', 'with pcapng: only this control channel, such as c1-s2')
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
  pcapng   OpenFlow messages and frames of a network, for Wireshark
  mininet  a Python script that does the inputs to a network of Open vSwitch in Mininet, and shows its flow tables
  test     a test for node --test that fails as long as the violation happens

Examples:
  culprit export .culprit/mutual-exclusion-3f2a.trace --to html --out race.html
  culprit export .culprit/no-blackholes-be95.min.trace --to pcapng
  culprit export .culprit/no-blackholes-be95.min.trace --to mininet --out blackhole.py
  culprit export .culprit/no-blackholes-be95.min.trace --to test --out test/blackhole.test.mjs`;

function formatIn(given: string): Format {
  const found = formats.find((format) => format === given);
  if (found === undefined) throw new InvalidArgumentError(`Choose one of ${formats.join(', ')}.`);
  return found;
}

async function run(path: string, other: string | undefined, options: Options): Promise<void> {
  // These formats are for other programs, which can read them from a pipe.
  const out = options.out ?? (process.stdout.isTTY ? besides(path, options.to) : undefined);
  const content = await written(path, other, { ...options, ...(out === undefined ? {} : { out }) }).catch(
    (error: unknown) => {
      if (error instanceof WhyStopped) printStopped(error, out);
      throw error;
    },
  );
  if (out === undefined) {
    printContent(content);
    return;
  }
  replaceFile(out, Buffer.from(content), 'Choose another file with --out.');
  printLines([`wrote     ${shownPath(out)}`]);
}

/** `a.min.html` for `a.min.trace`. */
const besides = (path: string, format: Format): string =>
  `${path.replace(/\.trace(\.gz)?$/, '')}.${endings[format] ?? format}`;

/** How files of a format are called, where that is not the name of the format. */
const endings: Readonly<Partial<Record<Format, string>>> = {
  mermaid: 'mmd',
  shiviz: 'log',
  chrome: 'chrome.json',
  mininet: 'py',
  test: 'test.mjs',
};

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

/** The path of a trace as a module in the folder of another file names it. */
function fromFolderOf(file: string, trace: string): string {
  const path = relative(file === '.' ? resolve('.') : dirname(resolve(file)), resolve(trace)).replaceAll(sep, '/');
  return path.startsWith('../') ? path : `./${path}`;
}

/** Half a page would be useless, so nothing is written. */
function printStopped({ line }: WhyStopped, out: string | undefined): void {
  const missing = out === undefined ? 'nothing is written' : `${shownPath(out)} is not written`;
  printErrorLines([`${line}; ${missing}`]);
}

async function written(
  path: string,
  other: string | undefined,
  { to, why, system, channel, out = '.' }: Options,
): Promise<string | Uint8Array> {
  if (channel !== undefined && to !== 'pcapng')
    throw new BadOption(`the format ${to} has no channels to choose from.`, 'Omit --channel, or use --to pcapng.');
  const paths = other === undefined ? [path] : [path, other];
  if (to === 'html') {
    const executions = paths.map((file) => ({ file: basename(file), trace: loadTrace(file) }));
    return viewerPage(why ? await pageWithWhy(path, executions, system) : exhibitOf(executions));
  }
  if (why) throw new BadOption(`the format ${to} cannot show why.`, 'Omit --why, or use --to html.');
  if (other !== undefined)
    throw new BadOption(`the format ${to} shows one execution, not two.`, 'Give one trace, or use --to html.');
  const trace = loadTrace(path);
  switch (to) {
    case 'pcapng':
      return pcapngOf(trace, { channel });
    case 'mininet':
      return mininetOf(trace);
    case 'test':
      return testFileOf(trace, fromFolderOf(out, path));
    default:
      return exportTrace(trace, to);
  }
}
