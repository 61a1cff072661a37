import type { Session } from '../kernel/ports.ts';
import type { World } from '../kernel/world.ts';
import { changesBetween } from '../trace/change.ts';
import { show } from '../trace/difference.ts';
import { contentOf } from '../trace/codec.ts';
import { portableText, toPortable } from '../trace/json-encoding.ts';
import { plural } from '../text/plural.ts';
import type { CheckResult, DoctorSubject } from './check.ts';
import { withWrappedCallbacks, type Around } from '../determinism/callbacks.ts';

/**
 * Comparing whole worlds is slow. After this many comparisons only every second world is compared, then every fourth,
 * and so on.
 */
const WORLDS_AT_A_RATE = 50;

/** Whether invariants and other observers leave worlds unchanged, and give the same answer when called again. */
export async function worldMutation({ system, executions }: DoctorSubject): Promise<CheckResult[]> {
  const watch = new ObserverWatch([...system.declaration.processes.keys()]);
  const watchful = withWrappedCallbacks(system, watch.around);
  for (const seed of executions.seeds) {
    watch.session = undefined;
    await executions.run(
      watchful,
      seed,
      (session) => (watch.session = session),
      // No other code evaluates them in this execution.
      ({ world }) => watchful.sometimes.forEach((mark) => mark(world)),
    );
  }
  const { total, faults } = watch;
  if (faults.size > 0) return [...faults.values()];
  const check = 'observers';
  if (total === 0)
    return [{ check, level: 'warning', message: 'observers: no invariant is declared', next: INVARIANTS }];
  const message = `observers: invariants and other callbacks changed nothing in ${plural(total, 'call')}`;
  return [{ check, level: 'ok', message }];
}

const INVARIANTS =
  'Declare what must be true in every state in `invariants`; without one, culprit finds only exceptions.';

/** Compares worlds before and after each call of an observer. */
class ObserverWatch {
  /** The current execution; undefined before it begins. */
  session: Session | undefined;
  /** The first problem of each observer. */
  readonly faults = new Map<string, CheckResult>();
  total = 0;
  private worlds = 0;
  private compared = 0;
  /** The last world, with its snapshot if it is one to compare. */
  private last: { session: Session; length: number; before: Snapshot | undefined } | undefined;

  constructor(private readonly names: readonly string[]) {}

  readonly around: Around =
    (who, observe) =>
    (...args) => {
      const { session } = this;
      const before = session && this.snapshotBefore(session);
      const answer = observe(...args);
      if (session === undefined || before === undefined) return answer;
      this.total += 1;
      const { world } = session;
      const after = snapshot(world, this.names);
      const fault = changeBetween(before, after) ?? contradiction(answer, observe(...args));
      if (fault !== undefined && !this.faults.has(who)) this.faults.set(who, result(who, world.length, fault));
      // A later observer must not be blamed for this change.
      this.last = { session, length: world.length, before: fault === undefined ? after : undefined };
      return answer;
    };

  /** A snapshot of the current world; undefined if this world is not compared. All observers of one world share it. */
  private snapshotBefore(session: Session): Snapshot | undefined {
    const { length } = session.world;
    if (this.last?.session === session && this.last.length === length) return this.last.before;
    const rate = 2 ** Math.floor(this.compared / WORLDS_AT_A_RATE);
    const isCompared = this.worlds++ % rate === 0;
    if (isCompared) this.compared += 1;
    const before = isCompared ? snapshot(session.world, this.names) : undefined;
    this.last = { session, length, before };
    return before;
  }
}

interface ObserverFault {
  readonly what: string;
  readonly next: string;
}

function changeBetween(before: Snapshot, after: Snapshot): ObserverFault | undefined {
  if (before.text === after.text) return undefined;
  const [[pointer, was, is] = ['', before.text, after.text]] = changesBetween(before.seen, after.seen);
  const what = `changes the state: ${placeOf(pointer)} was ${show(was)} and is ${show(is)}`;
  return { what, next: 'Only read the state; copy what you want to change, sort or collect.' };
}

function contradiction(first: unknown, second: unknown): ObserverFault | undefined {
  const [one, two] = [first, second].map((answer) => portableText(answer, 'an answer'));
  if (one === two) return undefined;
  const what = `returns ${one} at first and ${two} when called again`;
  return { what, next: 'Compute the result from the state alone; keep nothing between calls.' };
}

const result = (who: string, event: number, { what, next }: ObserverFault): CheckResult => ({
  check: 'observers',
  level: 'problem',
  message: `observers: ${who} ${what} (after event ${event})`,
  next,
});

/** The visible parts of a world. */
interface Snapshot {
  readonly seen: unknown;
  readonly text: string;
}

function snapshot(world: World, names: readonly string[]): Snapshot {
  const joined = world.up().map(({ name }) => name);
  const processes = [...new Set([...names, ...joined])].map((name): [string, unknown] => {
    const { state, disk } = world.process(name);
    return [name, { state, disk }];
  });
  const states = toPortable(Object.fromEntries(processes), 'the world');
  const seen = { processes: states, pending: world.pending.map((event) => contentOf(event)) };
  return { seen, text: JSON.stringify(seen) };
}

/** `/processes/a/state/count` is shown as `a.count`. */
const placeOf = (pointer: string): string =>
  pointer
    .replace(/^\/processes\/([^/]*)(\/state)?/, '/$1')
    .slice(1)
    .replaceAll('/', '.');
