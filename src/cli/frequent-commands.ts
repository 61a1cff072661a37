import { checkCommand } from './check.ts';
import { explainCommand } from './explain.ts';
import { huntCommand } from './hunt.ts';
import { minimizeCommand } from './minimize.ts';
import { replayCommand } from './replay.ts';

/** The commands of the daily work with a system. */
export const frequentCommands = {
  hunt: huntCommand,
  check: checkCommand,
  replay: replayCommand,
  minimize: minimizeCommand,
  explain: explainCommand,
};
