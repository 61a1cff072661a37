import { start } from 'culprit';
import { Simulation, type Declaration, type Session } from 'culprit/kernel';
import type { Script } from './every-execution.ts';

/** What explorations of a system have in common, where no rules and no oracles take part. */
export const begun = (declaration: Declaration, threads: readonly Script[]) => ({
  open: () => Simulation.open(declaration, 0),
  first: [...declaration.processes.keys()].map((name) => start(name)),
  environment: { threads, tampers: false },
  eventsMax: 1_000,
  isVisible: () => false,
});

/** Sees how executions end. */
export const endsSeenBy = <Ending>(ended: (session: Session, ending: Ending) => boolean) => ({
  arrived: () => {},
  familiarBy: () => undefined,
  leftOut: () => {},
  wentAstray: () => {},
  ended,
});
