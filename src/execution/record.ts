import { CulpritError } from '../error.ts';
import { inWords } from './wording.ts';
import { Observer, pendingLines, withLateNotes } from '../kernel/observer.ts';
import { surely } from '../kernel/drive.ts';
import { execution, hung, type Outcome, type Steps } from '../kernel/loop.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { NO_UNCAUGHT_EXCEPTION } from '../oracles/invariants.ts';
import { ReplayStrategy } from '../schedule/replay/exact-replay.ts';
import { actors } from '../hosts/actor/target.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import { hex } from '../trace/digest.ts';
import type { Event } from '../trace/event.ts';
import { formatVersion } from '../trace/file.ts';
import type { EventLine, Header, Trace, VerdictLine } from '../trace/format.ts';
import { contentOf } from '../trace/codec.ts';
import { toPortable } from '../trace/json-encoding.ts';
import { placesOf } from '../system/user-code.ts';
import { version } from '../files/version.ts';
import { oracleOf } from '../oracles/oracle-of-system.ts';

/** The system, and how an execution of it is made: the content of the header of its trace. */
export interface Origin {
  readonly system: ResolvedSystem;
  /** The file that exports the system, from the folder of its package. */
  readonly module: string | undefined;
  readonly seed: number;
  readonly strategy: string;
  readonly eventsMax: number;
  readonly handlerMs: number;
  /** Whether to abandon the re-execution: see `GivenUp`. */
  readonly isOverdue?: () => boolean;
}

/** An execution cannot be recorded, because the clock ended it. */
export class Stalled extends CulpritError {
  readonly code = 'STALLED';

  constructor(why: string) {
    super(`the execution did not finish: ${why}.`, 'Try again on a less busy machine, or give handlers more time.');
  }
}

/** Observes the recording of an execution. */
export interface Listener {
  opened?(session: Session): void;
  /** Receives each line when it is made. */
  line?(line: EventLine): void;
}

/** Executes exactly these events again, and records the effects of each. */
export const record = (origin: Origin, schedule: readonly Event[], listener?: Listener): Promise<Trace> =>
  writeDown(origin, () => new ReplayStrategy(schedule), Number.POSITIVE_INFINITY, listener);

/** Executes the events that a strategy chooses, and records the effects of each, in the system's own words if it has any. */
export async function writeDown(
  origin: Origin,
  strategy: () => Strategy,
  eventsMax: number,
  listener: Listener = {},
): Promise<Trace> {
  const trace = await writtenDown(origin, strategy, eventsMax, listener);
  return inWords(trace, origin.system.phrases, origin.handlerMs);
}

async function writtenDown(
  origin: Origin,
  strategy: () => Strategy,
  eventsMax: number,
  listener: Listener,
): Promise<Trace> {
  const oracle = oracleOf(origin.system);
  const attempts: Recorder[] = [];
  const attempt = (isCareful: boolean): Steps<Outcome> => {
    const recorder = new Recorder(origin, listener, attempts.at(-1)?.linesSent);
    attempts.push(recorder);
    const observe = (): void => recorder.observe();
    return execution(recorder.session, { strategy: strategy(), oracle, eventsMax, observe, isCareful });
  };
  try {
    const outcome = await surely(attempt, origin.handlerMs, origin.isOverdue);
    return (attempts.at(-1) as Recorder).trace(outcome);
  } catch (error) {
    return (attempts.at(-1) as Recorder).ended(error);
  } finally {
    for (const { session } of attempts) await session.close();
  }
}

/** Records one execution. */
class Recorder {
  readonly session: Session;
  private readonly observer = new Observer();
  private readonly events: EventLine[] = [];

  constructor(
    private readonly origin: Origin,
    private readonly listener: Listener,
    /** The number of lines that the listener has received, including those of an attempt that the clock ended. */
    public linesSent = 0,
  ) {
    this.session = actors(origin.system).open(origin.seed);
    listener.opened?.(this.session);
  }

  observe(): void {
    for (const line of this.observer.observe(this.session)) this.keep(line);
  }

  trace(outcome: Outcome, pending = pendingLines(this.session)): Trace {
    const { origin, session } = this;
    const events = session.guarantees.controlled ? this.events : withLateNotes(this.events, session);
    return { header: headerOf(origin, events.length), events, pending, verdict: verdictLine(outcome, session) };
  }

  /** The effects of a handler that was ended depend on the speed of the machine: only its event is certain. */
  ended(error: unknown): Trace {
    const verdict = hung(error, this.session);
    if (verdict.kind === 'unknown') throw new Stalled(verdict.why);
    this.keep({ event: this.events.length + 1, ...contentOf(this.session.world.last as Event) });
    return this.trace({ verdict, ending: 'verdict' }, []);
  }

  private keep(line: EventLine): void {
    this.events.push(line);
    if (line.event <= this.linesSent) return;
    this.linesSent = line.event;
    this.listener.line?.(line);
  }
}

const headerOf = ({ system, module, seed, strategy, eventsMax }: Origin, events: number): Header => ({
  trace: 'culprit',
  format: formatVersion(),
  culprit: version,
  system: system.name ?? nameOf(module),
  module: module ?? null,
  parameters: { ...system.parameters },
  seed,
  options: { strategy, eventsMax },
  events,
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
