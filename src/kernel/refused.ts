import { CulpritError, nextAfter, problemOf } from '../error.ts';

/** A name that no process has or can get. */
export class UnknownProcess extends CulpritError {
  readonly code = 'UNKNOWN_PROCESS';

  constructor(name: string, known: readonly string[], who?: string) {
    super(
      `${who === undefined ? '' : `${who}: `}there is no process called ${JSON.stringify(name)}: the system has ${known.join(', ') || 'none'}.`,
      'Check the spelling, or declare the process in `processes` or its kind in `kinds`.',
    );
  }
}

/** A kind of process that the system does not declare. */
export class UnknownKind extends CulpritError {
  readonly code = 'UNKNOWN_KIND';

  constructor(name: string, known: readonly string[]) {
    super(
      `there is no kind of process called ${JSON.stringify(name)}: the system has ${known.join(', ') || 'none'}.`,
      'Check the spelling, or declare it in `kinds`.',
    );
  }
}

/** An action that the system does not declare. */
export class UnknownAction extends CulpritError {
  readonly code = 'UNKNOWN_ACTION';

  constructor(name: string, known: readonly string[]) {
    super(
      `there is no action called ${JSON.stringify(name)}: the system has ${known.join(', ') || 'none'}.`,
      'Check the spelling, or declare it in `actions`.',
    );
  }
}

/** The end of a client's operation that is not under way. */
export class NotCalling extends CulpritError {
  readonly code = 'NOT_CALLING';

  constructor(process: string, call: number, open: readonly number[]) {
    super(
      `${process} says that call ${String(call)} has ended, but its open calls are ${open.join(', ') || 'none'}.`,
      'Keep the number that ctx.history.call gives, and end each call once, with `return` or `fail`.',
    );
  }
}

/** An event that cannot happen in this world. */
export class Refused extends CulpritError {
  readonly code = 'REFUSED';

  constructor(event: string, why: string) {
    super(`${event} cannot happen now: ${why}.`, 'Perform only what is enabled, and externals that the world allows.');
  }
}

/** A time that is no time. */
export class BadDelay extends CulpritError {
  readonly code = 'BAD_DELAY';

  constructor(process: string, what: string, ms: unknown) {
    super(
      `${process}: ${what} takes milliseconds, not ${String(ms)}.`,
      'Give a finite number, 0 or more; more than 0 to repeat.',
    );
  }
}

/** What `start` returned is not a state. */
export class BadState extends CulpritError {
  readonly code = 'BAD_STATE';

  constructor(process: string, found: unknown) {
    super(
      `${process}: start returned ${String(found)}, which is not a state.`,
      'Return an object, such as { count: 0 }.',
    );
  }
}

/** A function of the system that is no handler threw: there is no process to blame. */
export class SystemThrew extends CulpritError {
  readonly code = 'SYSTEM_THREW';

  constructor(what: string, cause: unknown) {
    super(
      `${what} threw: ${problemOf(cause)}`,
      nextAfter(cause, 'Mend it; only handlers of processes may throw, and that is a violation.'),
      { cause },
    );
  }
}

/** A handler awaits something that no event will bring. */
export class Stuck extends CulpritError {
  readonly code = 'STUCK';

  constructor(process: string, event: number) {
    super(
      `${process} still awaits something since event ${event}, and nothing that culprit controls is left to happen.`,
      'Await only context operations (ctx.sleep, ctx.disk, ctx.ask): real timers and I/O are outside the execution.',
    );
  }
}

/** A handler started something that ends outside the execution. */
export class RealWait extends CulpritError {
  readonly code = 'REAL_WAIT';

  constructor(process: string, event: number, real: string) {
    super(
      `${process} started ${REAL[real] ?? `a real request (${real})`} in event ${event} and has code that waits: culprit does not control when that ends.`,
      'Await only context operations (ctx.sleep, ctx.disk, ctx.ask): real timers and I/O are outside the execution.',
    );
  }
}

/** What people call it. */
const REAL: Readonly<Record<string, string>> = {
  Timeout: 'a real timer (setTimeout)',
  Immediate: 'a real timer (setImmediate)',
};

/** A context was used while its process was not handling an event. */
export class OutsideEvent extends CulpritError {
  readonly code = 'OUTSIDE_EVENT';

  constructor(process: string, did: string) {
    super(
      `${process} ${did} outside an event: something that culprit does not control woke its code.`,
      'Await only context operations (ctx.sleep, ctx.disk, ctx.ask), not real timers, I/O or a ctx kept from an earlier event.',
    );
  }
}

/** More processes than a world has room for. */
export class TooManyProcesses extends CulpritError {
  readonly code = 'TOO_MANY_PROCESSES';

  constructor(most: number) {
    super(
      `an execution has more than ${most.toLocaleString('en')} processes.`,
      'Let fewer processes join: channels between all of them take too much memory.',
    );
  }
}
