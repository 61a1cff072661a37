import { CulpritError } from '../error.ts';

/** A trace without a violation, given to a function that needs one with a violation. */
export abstract class NothingViolated extends CulpritError {
  constructor(verdict: string, done: 'explained' | 'minimized' | 'counted') {
    super(
      `the execution ends with ${verdict}: only a violation can be ${done}.`,
      'Give a trace that `culprit hunt` saved.',
    );
  }
}
