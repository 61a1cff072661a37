import type { Command } from 'commander';
import { checkCommand } from './check.ts';
import { cleanCommand } from './clean.ts';
import { diffCommand } from './diff.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { huntCommand } from './hunt.ts';
import { importCommand } from './import.ts';
import { initCommand } from './init.ts';
import { minimizeCommand } from './minimize.ts';
import { networkCommand } from './network.ts';
import { otherProcessCommand } from './other-process.ts';
import { replayCommand } from './replay.ts';
import { stepCommand } from './step/step.ts';
import { viewCommand } from './view.ts';

/** The commands, in the order of the help. */
export const commands: Readonly<Record<string, () => Command>> = {
  init: initCommand,
  hunt: huntCommand,
  check: checkCommand,
  replay: replayCommand,
  minimize: minimizeCommand,
  explain: explainCommand,
  view: viewCommand,
  diff: diffCommand,
  step: stepCommand,
  export: exportCommand,
  network: networkCommand,
  import: importCommand,
  doctor: doctorCommand,
  clean: cleanCommand,
};

/** Internal: see `doctor`. */
export const hidden: typeof commands = { elsewhere: otherProcessCommand };
