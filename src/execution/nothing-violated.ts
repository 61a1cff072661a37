import { CulpritError } from '../error.ts';

/** A trace without a violation, where only one with a violation will do. */
export abstract class NothingViolated extends CulpritError {
  constructor(verdict: string, done: 'explained' | 'minimized') {
    super(
      `the execution ends with ${verdict}: only a violation can be ${done}.`,
      'Give a trace that `culprit hunt` saved.',
    );
  }
}
