import { CulpritError } from '../error.ts';
import { inWords } from './wording.ts';
import { Observer, pendingLines, withLateNotes } from '../kernel/observer.ts';
import { carefully, driveInTurns, surely } from '../kernel/drive.ts';
import {
  execution,
  hung,
  Rest,
  type HandOver,
  type Outcome,
  type PausedExecution,
  type Steps,
} from '../kernel/loop.ts';
import { NotReady } from '../kernel/errors.ts';
import { TimedOut } from '../kernel/user-code/time-limit.ts';
import type { Oracle, Session, Strategy } from '../kernel/ports.ts';
import { NO_UNCAUGHT_EXCEPTION } from '../oracles/invariants.ts';
import { ReplayDiverged, ReplayStrategy } from '../schedule/replay/exact-replay.ts';
import { targetOf } from '../hosts/target.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import { hex } from '../trace/digest.ts';
import { isConsequence, type Event, type External, type Internal } from '../trace/event.ts';
import { formatVersion, LAST_WITH_TEXT_DIGESTS } from '../trace/file.ts';
import type { EventLine, Header, PendingLine, Trace, VerdictLine } from '../trace/format.ts';
import { contentOf } from '../trace/codec.ts';
import { toPortable } from '../trace/json-encoding.ts';
import { placesOf } from '../system/user-code.ts';
import { version } from '../files/version.ts';
import { oracleOf } from '../oracles/oracle-of-system.ts';
import type { Unknown, Violated } from '../trace/verdict.ts';

/** The system, and how an execution of it is made: the content of the header of its trace. */
export interface Origin {
  readonly system: ResolvedSystem;
  /** The file that exports the system, from the folder of its package. */
  readonly module: string | undefined;
  readonly seed: number;
  readonly strategy: string;
  readonly eventsMax: number;
  readonly handlerMs: number;
  /** Whether states have the digests of formats before 1.8: the execution is compared with a trace of one. */
  readonly hasTextDigests?: boolean;
  /** Whether to abandon the re-execution: see `GivenUp`. */
  readonly isOverdue?: () => boolean;
}

/** An execution cannot be recorded, because the clock ended it. */
export class Stalled extends CulpritError {
  readonly code = 'STALLED';

  constructor(readonly why: string) {
    super(`the execution did not finish: ${why}.`, 'Try again on a less busy machine, or give handlers more time.');
  }
}

/** Observes the recording of an execution. */
export interface Listener {
  opened?(session: Session): void;
  /** Receives each line when it is made. */
  line?(line: EventLine): void;
  /** A process did not get ready, so the verdict is unknown. */
  notReady?(error: NotReady): void;
  /** Asked between two events whether somebody else performs some: see `HandOver`. `lines` are those of the events so far. */
  handOver?(paused: PausedExecution, lines: readonly EventLine[]): ReturnType<HandOver>;
}

/**
 * The handler of the last event did not return before: the verdict on that, where the CPU time that the handler had was measured in this
 * process. Then the handler is ended soon. Otherwise it has its time again, once.
 */
export type Hang = Violated | 'unproven';

/** Executes the events again, exactly, and writes down what each did. */
export async function record(
  origin: Origin,
  schedule: readonly Event[],
  listener: Listener = {},
  hang?: Hang,
): Promise<Trace> {
  const strategy = (): Strategy => new ReplayStrategy(schedule);
  if (typeof hang !== 'object')
    return await writeDown(origin, strategy, Number.POSITIVE_INFINITY, listener, hang === 'unproven');
  return inWords(await writtenUpToHang(origin, schedule, listener, hang), origin.system.phrases, origin.handlerMs);
}

/** Executes the events that a strategy chooses, and records the effects of each, in the system's own words if it has any. */
export async function writeDown(
  origin: Origin,
  strategy: () => Strategy,
  eventsMax: number,
  listener: Listener = {},
  isCareful = false,
): Promise<Trace> {
  const trace = await writtenDown(origin, strategy, eventsMax, listener, isCareful);
  return inWords(trace, origin.system.phrases, origin.handlerMs);
}

async function writtenDown(
  origin: Origin,
  strategy: () => Strategy,
  eventsMax: number,
  listener: Listener,
  isCareful: boolean,
): Promise<Trace> {
  const attempts = new Attempts(origin, listener, { strategy, oracle: oracleOf(origin.system), eventsMax });
  try {
    return await attempts.written(isCareful);
  } finally {
    await attempts.close();
  }
}

/** How much time a handler has that is known not to return: enough for nearly all that do return after all. */
const HUNG_MS = 200;

/** Writes down an execution whose last event does not end: what happens before that event has the time that it always has. */
async function writtenUpToHang(
  origin: Origin,
  schedule: readonly Event[],
  listener: Listener,
  hang: Violated,
): Promise<Trace> {
  // What an action brings about happens with the action.
  const lastAt = schedule.findLastIndex((event) => !isConsequence(event, schedule));
  const strategy = (): Strategy => new ReplayStrategy(schedule.slice(0, lastAt));
  const oracle = withoutEnd(oracleOf(origin.system));
  const attempts = new Attempts(origin, listener, { strategy, oracle, eventsMax: Number.POSITIVE_INFINITY });
  try {
    const before = await attempts.written(false);
    if (before.verdict.verdict !== 'holds') return before;
    const { session } = attempts.last;
    const event = new ReplayStrategy(schedule).next(session) as Internal | External;
    if (await isEnded(performing(session, event), Math.min(HUNG_MS, origin.handlerMs)))
      return attempts.last.ended(hang);
  } finally {
    await attempts.close();
  }
  throw new ReplayDiverged(schedule.length, `the recording says that ${hang.message}, but now it does.`);
}

/** Whether the clock ends it. */
async function isEnded(steps: Steps<void>, limitMs: number): Promise<boolean> {
  try {
    await driveInTurns(steps, limitMs);
    return false;
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    return true;
  }
}

function* performing(session: Session, event: Internal | External): Steps<void> {
  const pending = session.perform(event);
  if (pending !== undefined) yield session.mustReturn(event) ? pending : new Rest(pending);
}

/** The oracle, which is not asked at the end: what it judges is only a beginning. */
const withoutEnd = (oracle: Oracle): Oracle => ({
  judge: (world, event) => oracle.judge(world, event),
  ...(oracle.begin === undefined ? {} : { begin: (session: Session) => withoutEnd(oracle.begin?.(session) ?? oracle) }),
});

/** The attempts to write down one execution: a second one follows where the clock ended the first. */
class Attempts {
  private readonly all: Recorder[] = [];

  constructor(
    private readonly origin: Origin,
    private readonly listener: Listener,
    private readonly options: { strategy: () => Strategy; oracle: Oracle; eventsMax: number },
  ) {}

  get last(): Recorder {
    return this.all.at(-1) as Recorder;
  }

  async written(isCareful: boolean): Promise<Trace> {
    try {
      const outcome = await this.executed(isCareful);
      return this.last.trace(outcome);
    } catch (error) {
      if (error instanceof NotReady) {
        this.listener.notReady?.(error);
        return this.last.trace(inconclusive(error));
      }
      return this.last.ended(hung(error, this.last.session));
    }
  }

  private executed(isCareful: boolean): Promise<Outcome> {
    const { handlerMs, isOverdue } = this.origin;
    return isCareful
      ? carefully(() => this.attempt(true), handlerMs)
      : surely((isAgain) => this.attempt(isAgain), handlerMs, isOverdue);
  }

  async close(): Promise<void> {
    for (const { session } of this.all) await session.close();
  }

  private attempt(isCareful: boolean): Steps<Outcome> {
    const recorder = new Recorder(this.origin, this.listener, this.all.at(-1)?.linesSent);
    this.all.push(recorder);
    const { strategy, oracle, eventsMax } = this.options;
    const observe = (): void => recorder.observe();
    const { handOver } = recorder;
    const handing = handOver === undefined ? {} : { handOver };
    return execution(recorder.session, { strategy: strategy(), oracle, eventsMax, observe, isCareful, ...handing });
  }
}

/** The outcome of an execution that could not begin as it should. */
const inconclusive = ({ message }: NotReady): Outcome => ({
  verdict: { kind: 'unknown', why: message },
  ending: 'verdict',
});

/** Records one execution. */
class Recorder {
  readonly session: Session;
  private readonly observer: Observer;
  private readonly events: EventLine[] = [];

  constructor(
    private readonly origin: Origin,
    private readonly listener: Listener,
    /** The number of lines that the listener has received, including those of an attempt that the clock ended. */
    public linesSent = 0,
  ) {
    this.session = targetOf(origin.system).open(origin.seed);
    this.observer = new Observer(origin.hasTextDigests);
    listener.opened?.(this.session);
  }

  get handOver(): HandOver | undefined {
    const { listener, events } = this;
    return listener.handOver && ((paused) => listener.handOver?.(paused, events));
  }

  observe(): void {
    for (const line of this.observer.observe(this.session)) this.keep(line);
  }

  trace(outcome: Outcome, pending = pendingLines(this.session)): Trace {
    return traceOf(this.origin, this.session, this.events, outcome, pending);
  }

  /** What a handler did before it was ended depends on how fast the machine is: only its event is certain, and those that led to it. */
  ended(verdict: Violated | Unknown): Trace {
    if (verdict.kind === 'unknown') throw new Stalled(verdict.why);
    for (const event of this.session.recording.events.since(this.events.length))
      this.keep({ event: this.events.length + 1, ...contentOf(event) });
    return this.trace({ verdict, ending: 'verdict' }, []);
  }

  private keep(line: EventLine): void {
    this.events.push(line);
    if (line.event <= this.linesSent) return;
    this.linesSent = line.event;
    this.listener.line?.(line);
  }
}

/** The trace of an execution whose events were observed as they happened. */
export const writtenAsItHappened = (
  origin: Origin,
  session: Session,
  lines: readonly EventLine[],
  outcome: Outcome,
): Trace =>
  inWords(traceOf(origin, session, lines, outcome, pendingLines(session)), origin.system.phrases, origin.handlerMs);

function traceOf(
  origin: Origin,
  session: Session,
  lines: readonly EventLine[],
  outcome: Outcome,
  pending: PendingLine[],
): Trace {
  const events = session.guarantees.controlled ? [...lines] : withLateNotes(lines, session);
  return { header: headerOf(origin, events.length), events, pending, verdict: verdictLine(outcome, session) };
}

const headerOf = (
  { system, module, seed, strategy, eventsMax, hasTextDigests = false }: Origin,
  events: number,
): Header => ({
  trace: 'culprit',
  format: hasTextDigests ? LAST_WITH_TEXT_DIGESTS : formatVersion(),
  culprit: version,
  system: system.name ?? nameOf(module),
  module: module ?? null,
  parameters: { ...system.parameters },
  seed,
  options: { strategy, eventsMax },
  events,
  ...(system.topology === undefined ? {} : { topology: system.topology }),
});

/** A system without a name has the name of its file. */
const nameOf = (module: string | undefined): string =>
  module
    ?.split('/')
    .at(-1)
    ?.replace(/(\.system)?\.[cm]?[jt]s$/, '') ?? 'system';

const shownValues = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toPortable(value, `the value ${name}`)]));

function verdictLine({ verdict, ending }: Outcome, session: Session): VerdictLine {
  const end = { name: hex(session.name()), ending };
  switch (verdict.kind) {
    case 'holds':
      return { verdict: 'holds', ...end };
    case 'unknown':
      return { verdict: 'unknown', why: verdict.why, ...end };
    case 'violated': {
      const { oracle, message, processes, values, fingerprint } = verdict;
      const shown = values === undefined ? {} : { values: shownValues(values) };
      const places = oracle === NO_UNCAUGHT_EXCEPTION ? placesOf(session.world.failure?.error) : [];
      const at = places.length === 0 ? {} : { at: places };
      return { verdict: 'violated', oracle, message, processes: [...processes], ...shown, fingerprint, ...at, ...end };
    }
  }
}
