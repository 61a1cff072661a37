import { minimize, recheck, search, type System } from 'culprit';
import type { PassName } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import type { Measured } from '../row.ts';
import { partAt } from '../trace-part.ts';
import { tickingCases } from './ticking-systems.ts';

/**
 * The ways of the papers beside ours. Wall clock: inputs come at their recorded times, and nothing is awaited. Fixed replays: a candidate
 * fails if one of so many replays does. Ours awaits events, and the sequential test decides how often a candidate is replayed.
 */
type Way = (system: System, trace: Trace) => Promise<Result>;

interface Result {
  readonly left: Trace;
  readonly executions: number;
}

const withPasses =
  (...passes: readonly PassName[]): Way =>
  async (system, trace) => {
    const { trace: left, schedules } = await minimize(system, trace, passes.length === 0 ? {} : { passes });
    return { left, executions: schedules };
  };

/** Delta debugging of 2002 with so many replays of each candidate. */
const withFixedReplays =
  (replays: number, partOf: (trace: Trace, kept: ReadonlySet<number>) => Trace): Way =>
  async (system, trace) => {
    let executions = 0;
    const asks = new Map<string, boolean>();
    const fails = async (inputs: readonly number[]): Promise<boolean> => {
      const key = inputs.join();
      const known = asks.get(key);
      if (known !== undefined) return known;
      const sampled = await recheck(system, partOf(trace, new Set(inputs)), { replays });
      if (sampled.answer !== 'sampled') throw new Error('the system is repeatable');
      executions += replays;
      asks.set(key, sampled.reproduced > 0);
      return sampled.reproduced > 0;
    };
    const kept = await ddmin(inputsIn(trace), fails);
    return { left: partOf(trace, new Set(kept)), executions };
  };

/** Zeller and Hildebrandt, 2002. */
async function ddmin(
  items: readonly number[],
  fails: (items: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let kept = items;
  for (let parts = 2; kept.length >= 2;) {
    const chunks = Array.from({ length: parts }, (_, part) =>
      kept.slice(Math.floor((part * kept.length) / parts), Math.floor(((part + 1) * kept.length) / parts)),
    );
    const complements = chunks.map((chunk) => kept.filter((item) => !chunk.includes(item)));
    const chunk = await firstOf(chunks, fails);
    const smaller = chunk ?? (await firstOf(complements, fails));
    if (smaller === undefined && parts >= kept.length) return kept;
    parts = smaller === undefined ? Math.min(2 * parts, kept.length) : chunk === undefined ? Math.max(parts - 1, 2) : 2;
    kept = smaller ?? kept;
  }
  return kept;
}

async function firstOf<T>(items: readonly T[], fits: (item: T) => Promise<boolean>): Promise<T | undefined> {
  for (const item of items) if (await fits(item)) return item;
  return undefined;
}

/** The places of the inputs, without the starts of processes. */
const inputsIn = ({ events }: Trace): number[] => events.flatMap(({ kind }, at) => (kind === 'send' ? [at] : []));

/** The starts and some of the inputs, at their recorded times, and no event of a process. */
const wallClock = (trace: Trace, kept: ReadonlySet<number>): Trace =>
  partAt(trace, (at) => trace.events[at]?.kind === 'start' || kept.has(at));

/** Some of the inputs, and all that the recording has of processes. */
const withEvents = (trace: Trace, kept: ReadonlySet<number>): Trace =>
  partAt(trace, (at) => trace.events[at]?.kind !== 'send' || kept.has(at));

const ways: Readonly<Record<string, Way>> = {
  'ours, in rounds': withPasses(),
  'ours, ddmin of 1999': withPasses('externals-ddmin1999'),
  'ours, ddmin of 2002': withPasses('externals'),
  'waiting, 1 replay': withFixedReplays(1, withEvents),
  'waiting, 5 replays': withFixedReplays(5, withEvents),
  'wall clock, 1 replay': withFixedReplays(1, wallClock),
  'wall clock, 5 replays': withFixedReplays(5, wallClock),
};

/** The rate at which a result fails is taken from so many replays. */
const REPLAYS = 20;

/** How many inputs each way leaves more than needed, how often its result fails, and what it costs. */
export async function* baselines(): AsyncGenerator<Measured> {
  for (const { name, system, optimum } of tickingCases) {
    const { findings } = await search(system, { executions: 50 });
    const trace = findings[0]?.trace;
    if (trace === undefined) throw new Error(`${name} does not fail`);
    for (const [way, minimizes] of Object.entries(ways)) {
      const { left, executions } = await minimizes(system, trace);
      const again = await recheck(system, left, { replays: REPLAYS });
      const rate = again.answer === 'sampled' ? again.reproduced / REPLAYS : 1;
      const row = `${name}: ${way}`;
      yield { case: row, metric: 'inputs', value: inputsIn(left).length, unit: '', target: String(optimum) };
      yield { case: row, metric: 'fails in', value: 100 * rate, unit: '%' };
      yield { case: row, metric: 'executions', value: executions, unit: '' };
    }
  }
}
