import { basename } from 'node:path';
import { Command } from 'commander';
import { CulpritError } from '../error.ts';
import { exhibitOf } from '../view/exhibit.ts';
import type { Exhibit } from '../trace/exhibit.ts';
import type { Trace } from '../trace/format.ts';
import { loadTrace } from '../trace-file.ts';
import { viewerPage } from '../view/page.ts';
import { ViewServer } from '../view/server.ts';
import { openBrowser } from './browser.ts';
import { printLines } from './print.ts';
import { atLeast } from './settings.ts';
import { whyForPage } from './why.ts';
import { executes, moduleOf, ModuleOutside, SYSTEM_OPTION } from './trace-module.ts';

interface Options {
  readonly port?: number;
  readonly open: boolean;
  readonly why: boolean;
  readonly system?: string;
}

export const viewCommand = (): Command =>
  new Command('view')
    .description('show a saved trace in the browser: step through it, see every state, find what led where')
    .argument('<trace>', 'a trace file')
    .argument('[other]', 'another one, side by side with it')
    .option('--port <n>', 'the port of this machine to serve it at; any that is free by default', atLeast(1))
    .option('--no-open', 'only print the address')
    .option('--no-why', 'do not look for why it is violated, which takes the system')
    .option('--system <module>', SYSTEM_OPTION)
    .addHelpText('after', executes('Unless --no-why is given, runs'))
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
Only this machine can open it, and only with the token in the address. Ctrl-C ends it.

Examples:
  culprit view .culprit/mutual-exclusion-3f2a.min.trace
  culprit view .culprit/mutual-exclusion-3f2a.min.trace .culprit/mutual-exclusion-3f2a.trace`;

async function run(path: string, other: string | undefined, options: Options): Promise<void> {
  const { port, open } = options;
  const paths = other === undefined ? [path] : [path, other];
  const executions = paths.map((file) => ({ file: basename(file), trace: loadTrace(file) }));
  const [first] = executions;
  const isAsked = options.why && executions.length === 1 && first?.trace.verdict.verdict === 'violated';
  if (isAsked) refuseOutside(path, first.trace, options);
  const live = { doing: 'looks for why', isOver: false };
  const exhibit = exhibitOf(executions, isAsked ? { live } : {});
  const view = await ViewServer.open(viewerPage(), exhibit, port === undefined ? {} : { port });
  const isOpening = open && openBrowser(view.url);
  printLines([
    `view      ${view.url}`,
    `          ${isOpening ? '' : 'Open it in a browser of this machine. '}Ctrl-C ends it.`,
  ]);
  const ended = new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  try {
    if (isAsked) view.show(exhibitOf(executions, await whyOf(path, executions[0]?.trace as Trace, options)));
    await ended;
  } finally {
    await view.close();
  }
}

/** Before anything is shown: a module that must not be run is an error, one that is gone is told on the page. */
function refuseOutside(path: string, trace: Trace, { system }: Options): void {
  try {
    if (system === undefined) moduleOf(trace, path, 'view');
  } catch (error) {
    if (error instanceof ModuleOutside || !(error instanceof CulpritError)) throw error;
    // Anything else is met again where the reason is looked for.
  }
}

/** Why it is violated, or why nobody knows: what is there is shown all the same. */
async function whyOf(path: string, trace: Trace, { system }: Options): Promise<Pick<Exhibit, 'why' | 'live'>> {
  try {
    return { why: await whyForPage({ path, trace, system }, 'view') };
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    return { live: { doing: `it cannot be said why: ${error.message}`, isOver: true } };
  }
}
