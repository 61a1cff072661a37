import { cleanCommand } from './clean.ts';
import { diffCommand } from './diff.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { initCommand } from './init.ts';
import { networkCommand } from './network.ts';
import { otherProcessCommand } from './other-process.ts';
import { stepCommand } from './step/step.ts';
import { viewCommand } from './view.ts';
import { workerCommand } from './worker.ts';

/** The other commands, also the internal one. */
export const otherCommands = {
  init: initCommand,
  view: viewCommand,
  diff: diffCommand,
  step: stepCommand,
  export: exportCommand,
  network: networkCommand,
  import: importCommand,
  doctor: doctorCommand,
  clean: cleanCommand,
  worker: workerCommand,
  elsewhere: otherProcessCommand,
};
