import { Command } from 'commander';
import { leftovers, remove, type Leftover } from '../hosts/live/session/leftovers.ts';
import { printJson } from './output/output.ts';
import { printLines } from './output/lines.ts';

interface Options {
  readonly list: boolean;
  readonly json: boolean;
}

export const cleanCommand = (): Command =>
  new Command('clean')
    .description('remove what real programs left behind after their culprit ended')
    .option('--list', 'only list what there is, also of a culprit that still runs', false)
    .option('--json', 'print one JSON object instead', false)
    .addHelpText(
      'after',
      `
Programs and their folders end with culprit, also if it is killed: usually there is nothing to remove. Processes are recognized
by a mark in their environment, and folders by a file inside, never by a name. Folders that --keep has kept elsewhere are not touched.

Examples:
  culprit clean --list
  culprit clean`,
    )
    .action(run);

function run({ list, json }: Options): void {
  const found = leftovers();
  const gone = list ? [] : found.filter(({ isCulpritGone }) => isCulpritGone);
  for (const leftover of gone) remove(leftover);
  const shown = list ? found : gone;
  if (json) return printJson('clean', { [list ? 'found' : 'removed']: shown });
  const verb = list ? 'found    ' : 'removed  ';
  printLines(shown.length === 0 ? [`${verb} nothing`] : shown.map((leftover) => `${verb} ${text(leftover)}`));
}

function text(leftover: Leftover): string {
  const what = leftover.kind === 'folder' ? `folder ${leftover.path}` : `process ${leftover.pid}: ${leftover.command}`;
  return `${what} (${leftover.isCulpritGone ? 'its culprit is gone' : `of culprit ${leftover.culprit}, which runs`})`;
}
