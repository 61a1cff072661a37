import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { CulpritError } from '../error.ts';
import type { Origin } from '../execution/record.ts';
import { steppedOrigin } from '../step/origin.ts';
import { loadSystem } from '../system/load-system.ts';
import type { System } from '../system/definition.ts';
import { exhibitOf, type NamedTrace } from '../view/view-model.ts';
import type { Exhibit } from '../trace/view-model.ts';
import type { Trace } from '../trace/format.ts';
import { loadTrace } from '../files/trace-file.ts';
import { viewerPage } from '../view/page.ts';
import { ViewServer } from '../view/server.ts';
import { resolveSystem } from '../system/resolve.ts';
import { Branching } from './branching.ts';
import { openBrowser } from './output/browser.ts';
import { Interruption, Stopped } from './interruption.ts';
import { placed } from './places.ts';
import { printLines } from './output/lines.ts';
import { shellWord } from '../text/shell-word.ts';
import { portNumber } from './settings.ts';
import { whyForPage, WhyStopped } from './why.ts';
import { executes, moduleOf, ModuleOutside, SYSTEM_OPTION } from './trace-module.ts';

interface Options {
  readonly port?: number;
  readonly open: boolean;
  readonly why: boolean;
  readonly places: boolean;
  readonly system?: string;
  readonly out?: string;
}

export const viewCommand = (): Command =>
  new Command('view')
    .description('show a saved trace in the browser, with every step, state and cause')
    .argument('<trace>', 'a trace file')
    .argument('[other]', 'another trace to show side by side')
    .option('--port <n>', 'port to serve the page on; default: any free port', portNumber)
    .option('--no-open', 'print the address, but do not open a browser')
    .option('--no-why', 'do not find out why and offer no branches, which run the system')
    .option('--places', 'name the code of each event, also with --no-why or for two traces; runs the system', false)
    .option('--system <module>', SYSTEM_OPTION)
    // Many look for it here: without it, the parser suggests --port.
    .addOption(new Option('--out <file>').hideHelp())
    .addHelpText('after', executes('Unless --no-why is given, or with --places, runs'))
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
The page can execute branches: what happens if, after an event, you choose the next ones.
Only this machine can open the page, and only with the token in the address. Ctrl-C ends it (exit code 0).

Examples:
  culprit view .culprit/mutual-exclusion-3f2a.min.trace
  culprit view .culprit/mutual-exclusion-3f2a.min.trace .culprit/mutual-exclusion-3f2a.trace

To write the page to a file: culprit export … --to html --out page.html`;

/** The page was to be written to a file. */
class NoFile extends CulpritError {
  readonly code = 'NO_FILE';

  constructor(paths: readonly string[], out: string) {
    const words = [...paths, '--to', 'html', '--out', out].map(shellWord).join(' ');
    super('view shows the page, and writes no file.', `Write the page with: npx culprit export ${words}`);
  }
}

async function run(path: string, other: string | undefined, options: Options): Promise<void> {
  const { port, open } = options;
  const paths = other === undefined ? [path] : [path, other];
  if (options.out !== undefined) throw new NoFile(paths, options.out);
  const executions = paths.map((file) => ({ file: basename(file), trace: loadTrace(file) }));
  const [first] = executions;
  const isAsked = options.why && executions.length === 1 && first?.trace.verdict.verdict === 'violated';
  // Before the page is served: no signal arrives while code is loaded.
  const { system, live } = isAsked ? await systemFor(path, first.trace, options) : {};
  const owners = options.places ? await systemsOf(paths, executions, system, options) : [system];
  const interruption = Interruption.listening();
  const shown = await Promise.all(executions.map((one, at) => placedBy(one, owners[at])));
  const branches = branchesOf(path, executions, options);
  const more = { canBranch: branches !== undefined };
  const exhibit = exhibitOf(shown, live === undefined ? more : { ...more, live });
  const view = await ViewServer.open(viewerPage(), exhibit, { port, branches });
  const isOpening = open && openBrowser(view.url);
  printLines([
    `view      ${view.url}`,
    `          ${isOpening ? '' : 'Open it in a browser on this machine. '}Ctrl-C ends it.`,
  ]);
  try {
    await untilStopped(system && whyShown(view, shown, more, system, interruption), interruption);
  } finally {
    await view.close();
    await branches?.close();
  }
}

/** Branches of a single trace. The module that the trace names is loaded when the reader of the page asks for a branch. */
function branchesOf(
  path: string,
  [first, other]: readonly NamedTrace[],
  { system, why }: Options,
): Branching | undefined {
  if (!why || first === undefined || other !== undefined) return undefined;
  const { trace } = first;
  const originOf = async (): Promise<Origin> => {
    const loaded = await loadSystem(system ?? moduleOf(trace, path, 'view'));
    const { parameters, seed } = trace.header;
    return steppedOrigin(resolveSystem(loaded.system, parameters), { module: loaded.module, seed });
  };
  return new Branching(path, trace, originOf);
}

/** The system of each trace, loaded because places were asked for. */
async function systemsOf(
  paths: readonly string[],
  executions: readonly NamedTrace[],
  known: System | undefined,
  { system }: Options,
): Promise<readonly System[]> {
  if (known !== undefined) return [known];
  const modules = executions.map(({ trace }, at) => system ?? moduleOf(trace, paths[at] as string, 'view'));
  return await Promise.all(modules.map(async (module) => (await loadSystem(module)).system));
}

const placedBy = async (named: NamedTrace, system: System | undefined): Promise<NamedTrace> =>
  system === undefined ? named : await placed(named, system);

/** Ctrl-C is the normal way to end it. */
async function untilStopped(showing: Promise<void> | undefined, interruption: Interruption): Promise<never> {
  try {
    await showing;
    return await interruption.stopped();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    if (error instanceof WhyStopped) printLines([error.line]);
    printLines(['ended     the server has stopped']);
    throw new Stopped(0);
  }
}

async function whyShown(
  view: ViewServer,
  executions: readonly NamedTrace[],
  more: Pick<Exhibit, 'canBranch'>,
  system: System,
  interruption: Interruption,
): Promise<void> {
  const [first] = executions;
  if (first === undefined) return;
  const why = await whyOf(system, first.trace, interruption);
  try {
    view.show(exhibitOf(executions, { ...more, ...why }));
  } catch (error) {
    view.show(exhibitOf(executions, { ...more, live: whyless(error) }));
  }
}

/** The system of a trace, or why the violation cannot be explained. */
async function systemFor(
  path: string,
  trace: Trace,
  { system }: Options,
): Promise<{ readonly system?: System } & Required<Pick<Exhibit, 'live'>>> {
  try {
    const loaded = await loadSystem(system ?? moduleOf(trace, path, 'view'));
    return { system: loaded.system, live: { status: 'finding out why', isOver: false } };
  } catch (error) {
    // Before anything is shown: a module that must not be run is an error; a missing module is reported on the page.
    if (error instanceof ModuleOutside) throw error;
    return { live: whyless(error) };
  }
}

/** The explanation of the violation, or why it is unknown: the rest is shown in any case. */
async function whyOf(system: System, trace: Trace, interruption: Interruption): Promise<Pick<Exhibit, 'why' | 'live'>> {
  try {
    return { why: await whyForPage(system, trace, interruption) };
  } catch (error) {
    return { live: whyless(error) };
  }
}

function whyless(error: unknown): NonNullable<Exhibit['live']> {
  if (!(error instanceof CulpritError)) throw error;
  return { status: `cannot find out why: ${error.message}`, isOver: true };
}
