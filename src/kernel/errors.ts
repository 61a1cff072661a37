import { CulpritError, nextAfter, problemOf, textOf } from '../error.ts';
import { didYouMean } from '../text/did-you-mean.ts';
import type { Exit } from './uncontrolled/inbox.ts';
import { withCommas } from '../text/with-commas.ts';

/** Of a longer list of names only the first are printed. */
const NAMES_SHOWN = 20;

const listed = (names: readonly string[]): string =>
  names.length === 0
    ? 'none'
    : names.slice(0, NAMES_SHOWN).join(', ') +
      (names.length <= NAMES_SHOWN ? '' : ` and ${withCommas(names.length - NAMES_SHOWN)} more`);

/** A name as it was given, which JavaScript lets be anything. */
const shownName = (name: unknown): string => (typeof name === 'string' ? JSON.stringify(name) : textOf(name));

/** Suggests the name that was probably meant, or else lists the known names. */
const question = (name: unknown, known: readonly string[]): string =>
  (typeof name === 'string' ? didYouMean(name, known) : '') || `: the system has ${listed(known)}.`;

/** A name that no process has or can get. */
export class UnknownProcess extends CulpritError {
  readonly code = 'UNKNOWN_PROCESS';

  constructor(name: string, known: readonly string[], who?: string) {
    super(
      `${who === undefined ? '' : `${who}: `}there is no process called ${shownName(name)}${question(name, known)}`,
      'Check the spelling, or declare the process in `processes` or its kind in `kinds`.',
    );
  }
}

/** A kind of process that the system does not declare. */
export class UnknownKind extends CulpritError {
  readonly code = 'UNKNOWN_KIND';

  constructor(name: string, known: readonly string[], who?: string) {
    super(
      `${who === undefined ? '' : `${who}: `}there is no kind of process called ${shownName(name)}${question(name, known)}`,
      'Check the spelling, or declare it in `kinds`.',
    );
  }
}

/** An action that the system does not declare. */
export class UnknownAction extends CulpritError {
  readonly code = 'UNKNOWN_ACTION';

  constructor(name: string, known: readonly string[]) {
    super(
      `there is no action called ${shownName(name)}${question(name, known)}`,
      'Check the spelling, or declare it in `actions`.',
    );
  }
}

/** The end of a client's operation that is not under way. */
export class NotCalling extends CulpritError {
  readonly code = 'NOT_CALLING';

  constructor(process: string, call: number, open: readonly number[]) {
    super(
      `${process} ends call ${textOf(call)}, but its open calls are ${open.join(', ') || 'none'}.`,
      'Keep the number that ctx.history.call returns, and end each call once, with `return` or `fail`.',
    );
  }
}

/** An event that cannot happen in this world. */
export class Refused extends CulpritError {
  readonly code = 'REFUSED';

  constructor(event: string, why: string) {
    super(`${event} cannot happen now: ${why}.`, 'Perform only enabled events and possible externals.');
  }
}

/** A time that is no time. */
export class BadDelay extends CulpritError {
  readonly code = 'BAD_DELAY';

  constructor(process: string, what: string, ms: unknown) {
    super(
      `${process}: ${what} takes milliseconds, not ${textOf(ms)}.`,
      'Give a finite number, 0 or more (above 0 to repeat).',
    );
  }
}

/** `start` returned no state. */
export class BadState extends CulpritError {
  readonly code = 'BAD_STATE';

  constructor(process: string, found: unknown) {
    super(
      `${process}: start returned ${textOf(found)}, which is not a state.`,
      'Return an object, such as { count: 0 }.',
    );
  }
}

/** The view of an opaque object is not an object. */
export class BadView extends CulpritError {
  readonly code = 'BAD_VIEW';

  constructor(process: string, event: number, found: unknown) {
    super(
      `${process}: its view after event ${event} is ${textOf(found)}, which invariants cannot look at.`,
      'Return an object of plain data from `view`, such as { role, log: [...log] }.',
    );
  }
}

/** The name of a timer, of a disk key or of a kind is no text. */
export class BadName extends CulpritError {
  readonly code = 'BAD_NAME';

  constructor(process: string, event: number, what: string, found: unknown) {
    super(
      `${process}: the name of ${what} in event ${event} is ${textOf(found)}, which is not a text.`,
      'Give a string.',
    );
  }
}

/** A message is sent with something else than a lane. */
export class BadLane extends CulpritError {
  readonly code = 'BAD_LANE';

  constructor(process: string, event: number, found: string) {
    super(
      `${process}: a message in event ${event} is sent with ${found}, which names no lane.`,
      "Give a text that is not empty: ctx.send(to, message, { lane: 'bulk' }), or ctx.ask(to, message, { lane: 'bulk', timeoutMs: 100 }). " +
        'The default lane has no name.',
    );
  }
}

/** More processes than a world has room for. */
export class TooManyProcesses extends CulpritError {
  readonly code = 'TOO_MANY_PROCESSES';

  constructor(name: string, most: number) {
    super(
      `${name} would be process ${withCommas(most + 1)} of the execution, which may have ${withCommas(most)}.`,
      'Declare or spawn fewer: three to five processes show most bugs.',
    );
  }
}

/** Processes spawn processes that spawn processes: the names alone would fill the memory. */
export class TooManyGenerations extends CulpritError {
  readonly code = 'TOO_MANY_GENERATIONS';

  constructor(name: string, most: number) {
    super(
      `${name.slice(0, 40)}… spawns more than ${most} generations of processes.`,
      'Spawn only on request, not whenever a process starts.',
    );
  }
}

/** A function of the system that is no handler threw: there is no process to blame. */
export class SystemThrew extends CulpritError {
  readonly code = 'SYSTEM_THREW';

  constructor(what: string, cause: unknown) {
    super(
      `${what} threw: ${problemOf(cause)}`,
      nextAfter(cause, 'Fix the exception. (Exceptions are violations only inside handlers.)'),
      { cause },
    );
  }
}

/** A function of the system that is no handler does not return: there is no event to blame. */
export class SystemHangs extends CulpritError {
  readonly code = 'SYSTEM_HANGS';

  constructor(who: string, boundMs: number) {
    super(
      `${who} did not return within ${boundMs} ms.`,
      'Fix it: invariants, oracles, waits and generators must return quickly.',
    );
  }
}

/** No code of the system runs, and yet it takes too long: what culprit copies and compares is too much. */
export class TooMuchData extends CulpritError {
  readonly code = 'TOO_MUCH_DATA';

  constructor(event: string, boundMs: number) {
    super(
      `the states and messages after ${event} could not be copied and compared within ${boundMs} ms.`,
      'Keep fewer or shorter data: small systems show most bugs.',
    );
  }
}

/** A handler awaits something that no event will bring. */
export class Stuck extends CulpritError {
  readonly code = 'STUCK';

  constructor(process: string, event: number) {
    super(
      `${process} has been waiting since event ${event}, and no event that culprit controls is left.`,
      'Await only context operations (ctx.sleep, ctx.disk, ctx.ask): real timers and I/O are outside of the execution.',
    );
  }
}

/** A handler started something that ends outside the execution. */
export class RealWait extends CulpritError {
  readonly code = 'REAL_WAIT';

  constructor(process: string, event: number, real: string) {
    super(
      `${process} started ${REAL[real] ?? `a real request (${real})`} in event ${event} and waits for it: culprit does not control when it ends.`,
      'Await only context operations (ctx.sleep, ctx.disk, ctx.ask): real timers and I/O are outside of the execution.',
    );
  }
}

/** The word for it in messages. */
const REAL: Readonly<Record<string, string>> = {
  Timeout: 'a real timer (setTimeout)',
  Immediate: 'a real timer (setImmediate)',
};

/** A view did something that only code of an event may do. */
export class BusyView extends CulpritError {
  readonly code = 'BUSY_VIEW';

  constructor(process: string, event: number, did: string) {
    super(
      `${process}: its view after event ${event} ${did}, which only code of an event may use.`,
      `Return data from \`view\` that the object has. Invariants see the storage without it: world.process(${JSON.stringify(process)}).disk.get(key).`,
    );
  }
}

/** A context was used while its process was not handling an event. */
export class OutsideEvent extends CulpritError {
  readonly code = 'OUTSIDE_EVENT';

  constructor(
    process: string,
    /** What the code did, as the rest of a sentence: `used ctx.send`. */
    readonly did: string,
  ) {
    super(
      `${process} ${did} outside of an event: its code was resumed by something that culprit does not control.`,
      'Await only context operations (ctx.sleep, ctx.disk, ctx.ask; in a class: io.sleep, io.storage, io.ask), not real timers, I/O or a ctx kept from an earlier event.',
    );
  }
}

/** Processes of one system that go by different clocks. */
export class MixedClocks extends CulpritError {
  readonly code = 'MIXED_CLOCKS';

  constructor(hosts: readonly string[]) {
    super(
      `the processes go by different clocks: some are ${hosts.join(', others ')}.`,
      'Use processes of one kind, or let all of them go by the real clock.',
    );
  }
}

/** A process that does things by itself did not finish its reaction to an event. */
export class NoReaction extends CulpritError {
  readonly code = 'NO_REACTION';

  constructor(process: string, event: number, ms: number) {
    super(
      `${process} did not finish reacting to event ${event} within ${ms / 1000} s.`,
      'Look at what it waits for, or give it more time.',
    );
  }
}

/**
 * A process that acts by itself did not get ready. Nothing is known of the system then: it was never in a state in which it could be
 * tested.
 */
export class NotReady extends CulpritError {
  readonly code = 'NOT_READY';

  constructor(process: string, why: string, next: string) {
    super(`${process} did not get ready: ${why}`, next);
  }
}

/** A kind made a process of a host that it does not declare. */
export class UndeclaredHost extends CulpritError {
  readonly code = 'UNDECLARED_HOST';

  constructor(kind: string, host: string) {
    super(
      `the kind ${kind} makes a process that is ${host}, but does not say so.`,
      'Declare it: Object.assign((args) => …, { host: … }), with the host of the processes that it makes.',
    );
  }
}

/** A process ended by itself: for the world that is an uncaught exception. */
export class UnaskedExit extends Error {
  /** The message without the lines that the process printed, which differ from one execution to the next. */
  readonly summary: string;
  readonly lastLines: readonly string[];

  constructor(process: string, { code, signal, lastLines = [] }: Exit, when = ', though nothing ended it') {
    const how = signal === undefined ? `exited with code ${code ?? 'unknown'}` : `was ended by ${signal}`;
    const summary = `${process} ${how}${when}`;
    super([summary, ...lastLines].join('\n'));
    this.name = 'UnaskedExit';
    this.summary = summary;
    this.lastLines = lastLines;
  }
}
