import { basename } from 'node:path';
import { Command } from 'commander';
import { exhibitOf } from '../exhibit.ts';
import { loadTrace } from '../trace-file.ts';
import { viewerPage } from '../viewer-page.ts';
import { ViewServer } from '../view-server.ts';
import { openBrowser } from './browser.ts';
import { printLines } from './print.ts';
import { atLeast } from './settings.ts';

interface Options {
  readonly port?: number;
  readonly open: boolean;
}

export const viewCommand = (): Command =>
  new Command('view')
    .description('show a saved trace in the browser: step through it, see every state, find what led where')
    .argument('<trace>', 'a trace file')
    .argument('[other]', 'another one, side by side with it')
    .option('--port <n>', 'the port of this machine to serve it at; any that is free by default', atLeast(1))
    .option('--no-open', 'only print the address')
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
Only this machine can open it, and only with the token in the address. Ctrl-C ends it.

Examples:
  culprit view .culprit/mutual-exclusion-3f2a.min.trace
  culprit view .culprit/mutual-exclusion-3f2a.min.trace .culprit/mutual-exclusion-3f2a.trace`;

async function run(path: string, other: string | undefined, { port, open }: Options): Promise<void> {
  const paths = other === undefined ? [path] : [path, other];
  const exhibit = exhibitOf(paths.map((file) => ({ file: basename(file), trace: loadTrace(file) })));
  const view = await ViewServer.open(viewerPage(), exhibit, port === undefined ? {} : { port });
  const isOpening = open && openBrowser(view.url);
  printLines([
    `view      ${view.url}`,
    `          ${isOpening ? '' : 'Open it in a browser of this machine. '}Ctrl-C ends it.`,
  ]);
  await new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await view.close();
}
