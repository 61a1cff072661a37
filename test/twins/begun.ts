import { start } from 'culprit';
import { Simulation, type Declaration, type PlanItem, type Session } from 'culprit/kernel';
import type { Script } from './every-execution.ts';

/** The common arguments of explorations of a system, without rules and oracles. */
export const begun = (declaration: Declaration, threads: readonly Script[]) => ({
  open: () => Simulation.open(declaration, 0),
  first: [...declaration.processes.keys()].map((name) => start(name)),
  environment: { threads, tampers: false },
  eventsMax: 1_000,
  isVisible: () => false,
});

/** The same for unnamed threads, with losses and duplicates if they are declared. */
export const begunBy = ({ declaration, threads }: Subject) => {
  const { open, first, environment } = begun(
    declaration,
    threads.map((items, at) => ({ name: `thread ${at}`, items })),
  );
  const { losses, duplicates } = declaration.faults;
  return { open, first, environment: { ...environment, tampers: losses + duplicates > 0 } };
};

/** A system, and what its environment does. */
export interface Subject {
  readonly declaration: Declaration;
  readonly threads: readonly (readonly PlanItem[])[];
}

/** Observes the ends of executions. */
export const endsSeenBy = <Ending>(ended: (session: Session, ending: Ending) => boolean) => ({
  arrived: () => {},
  familiarBy: () => undefined,
  leftOut: () => {},
  infeasible: () => {},
  ended,
});
