import type { Candidate, Pass } from '../pass.ts';

/** How events that cannot happen are treated, as the name of a pass says it. */
export type Absent = 'skip' | 'unblock' | 'repair' | 'nodiverge';

/** The same pass, where this becomes of events that cannot happen, unless a candidate says otherwise. */
export const withAbsent = (pass: Pass, absent: Absent): Pass =>
  function* (failing) {
    const how: Partial<Candidate> = absent === 'nodiverge' ? { absent: 'skip', mayDiverge: false } : { absent };
    const asking = pass(failing);
    let step = asking.next();
    while (step.done !== true) step = asking.next(yield { ...how, ...step.value });
    return step.value;
  };
