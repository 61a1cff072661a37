import { check, replay, search, type Oracle, type System } from 'culprit';
import { resolveSystem, type CheckReport, type SearchName } from 'culprit/kernel';
import type { World } from 'culprit/kernel';
import type { Trace, Verdict } from 'culprit/trace';
import { bruteForce, type Bounds, type Subject, type Truth } from './brute-force.ts';
import { families, type Family } from './families.ts';
import { refutedIn, systemOf, systemText, type RandomSystem } from './random-system.ts';
import { isAsync } from './script.ts';
import { endText, isOrderedIn, namesIn } from './world-text.ts';

/** Searches that explore everything within the bounds. */
export const complete = [
  'dpor',
  'race-reversal',
  'mixed',
  'blackbox',
  'blackbox-race-reversal',
  'depth',
  'deepening',
  'worlds',
  'breadth',
  'novelty',
] as const satisfies readonly SearchName[];

export type Complete = (typeof complete)[number];

const stateful: readonly SearchName[] = ['worlds', 'breadth', 'novelty'];
/** Those that explore every order. */
const everyOrder: readonly SearchName[] = ['depth', 'deepening'];

const NODES_MAX = 500;
/**
 * Systems with one order show nothing about searches, and those with many take too long by searches that explore each.
 */
const ORDERS_MIN = 2;
const ORDERS_MAX = 250;
/** Up to this many orders, the brute force is compared with itself without memoization. */
const PLAIN_MAX = 150;
/** More than any finite execution has. */
const EVENTS_MAX = 100;
const EVENTS_OF_ENDLESS = 9;
const HUNTED = 60;
const MANY = 99;

export interface Outcome {
  readonly random: RandomSystem;
  /** Undefined if the system is too large for the brute force: it does not count. */
  readonly truth: 'holds' | 'violated' | 'refused' | undefined;
  readonly executions: number;
  /** The number of searches that gave a verdict, by name, and those that were unknown. */
  readonly asked: readonly Complete[];
  readonly unknown: readonly Complete[];
  /** The differences between the answers. */
  readonly differences: readonly string[];
}

/** Asks searches, all or some, and a hunt about a system, and compares. */
export const compared = (random: RandomSystem, searches: readonly Complete[] = complete): Promise<Outcome> =>
  new Comparison(random, searches).run();

/** Everything needed to investigate it. */
export const differenceText = ({ random, differences }: Outcome): string =>
  [
    ...systemText(random),
    ...differences.map((difference) => `DIFFERS ${difference}`),
    `again: npm run bench -- trust --seeds ${random.seed}..${random.seed}`,
  ].join('\n');

/** For systems of special data with up to this many orders, ends are recorded with copied worlds. */
const ORDERS_OF_COPIES_MAX = 60;

interface Collector {
  readonly oracle: Oracle;
  readonly ends: Set<string>;
}

const holds = { kind: 'holds' } as const;
const judge: Oracle['judge'] = () => holds;

/** Records the ends of executions, without culprit's read tracking and independent of the order of events. */
function collector({ family, transport, links }: RandomSystem, declared: readonly string[], orders: number): Collector {
  const ends = new Set<string>();
  const isOrdered = isOrderedIn({ transport, ...(links === undefined ? {} : { links }) });
  const { shape }: Family = families[family];
  // An oracle that remembers keeps searches from copying worlds. It costs fewer executions, and includes spawned
  // processes.
  const oracle: Oracle =
    shape === undefined || orders > ORDERS_OF_COPIES_MAX
      ? {
          judge,
          ignoresOrder: true,
          begin: (session) => ({
            judge,
            end: (_world, isQuiet) => end(session.world, namesIn(session, declared), isQuiet),
          }),
        }
      : { judge, end: (world, isQuiet) => end(world, declared, isQuiet) };
  return { oracle, ends };

  function end(world: World, names: readonly string[], isQuiet: boolean): Verdict {
    if (isQuiet) ends.add(endText(world, names, isOrdered));
    return holds;
  }
}

/** The answer of a search: a report, or the code and the message of an error. */
type Answer = { readonly report: CheckReport } | { readonly code: string; readonly message: string };

class Comparison {
  private readonly differences: string[] = [];
  private readonly asked: Complete[] = [];
  private readonly unknown: Complete[] = [];
  private readonly truths = new Map<string, Promise<Truth | undefined>>();
  private readonly declared: readonly string[];
  private readonly family: Family;
  private readonly eventsMax: number;
  private executions = 0;

  constructor(
    private readonly random: RandomSystem,
    private readonly searches: readonly Complete[],
  ) {
    this.family = families[random.family];
    this.eventsMax = this.family.endless ? EVENTS_OF_ENDLESS : EVENTS_MAX;
    this.declared = [...random.roles.keys()].filter((name) => name !== 'worker');
  }

  async run(): Promise<Outcome> {
    const truth = await this.truthFor('depth');
    if (!this.isOfUse(truth) || (await this.truthForHunt()) === undefined) return this.outcome(undefined);
    for (const code of truth.errors) this.differs('the brute force', `the kernel: ${code}`);
    await this.compareWithItself(truth);
    for (const by of this.searches) {
      const expected = await this.truthFor(by);
      if (expected === undefined) return this.outcome(undefined);
      this.asked.push(by);
      if (this.asksTwice(by)) this.compareVerdict(by, await this.ask(by, systemOf(this.random), 1), expected);
      if (!this.family.hides) await this.compareSets(by, expected);
    }
    await this.compareHunt((await this.truthForHunt()) as Truth);
    return this.outcome(truth.hides ? 'refused' : truth.fingerprints.size > 0 ? 'violated' : 'holds');
  }

  private isOfUse(truth: Truth | undefined): truth is Truth {
    if (truth === undefined || (truth.isCut && this.family.endless !== true)) return false;
    return truth.executions >= ORDERS_MIN && truth.executions <= ORDERS_MAX;
  }

  private outcome(truth: Outcome['truth']): Outcome {
    const { random, executions, asked, unknown, differences } = this;
    return { random, truth, executions, asked, unknown, differences };
  }

  private differs(who: string, what: string): void {
    this.differences.push(`${who}: ${what}`);
  }

  /** Without memoization the brute force must find the same. */
  private async compareWithItself(truth: Truth): Promise<void> {
    if (truth.executions > PLAIN_MAX) return;
    const plain = await this.bruteForce({
      ...this.boundsFor('depth'),
      memo: false,
      nodesMax: Number.POSITIVE_INFINITY,
    });
    for (const part of ['fingerprints', 'ends', 'endsAfter'] as const)
      if (!isSame((plain as Truth)[part], truth[part])) this.differs('the brute force', `${part} without a memory`);
  }

  /**
   * Whether the verdict is computed without the oracle that records ends: world searches are unknown with an oracle
   * that remembers, and faults are planned differently if ends are judged.
   */
  private asksTwice(by: Complete): boolean {
    const { crashes, restarts, partitions } = this.random.faults;
    return stateful.includes(by) || crashes + restarts + partitions > 0 || this.family.hides === true;
  }

  private compareVerdict(by: Complete, answer: Answer, truth: Truth): void {
    if (this.family.hides && truth.hides) return this.compareRefusal(by, answer);
    if (!('report' in answer)) return this.differs(by, `${answer.code}: ${answer.message}`);
    const { verdict, whyUnknown } = answer.report;
    const expected = truth.fingerprints.size > 0 ? 'violated' : 'holds';
    if (verdict === 'unknown') {
      this.unknown.push(by);
      const isExplained = whyUnknown.every((why) => this.mayDoubt(by, why, truth));
      if (!isExplained) this.differs(by, `unknown, not ${expected}: ${whyUnknown.join('; ')}`);
    } else if (verdict !== expected || (verdict === 'holds' && this.isNeverSure(by, truth)))
      this.differs(by, `${verdict}, not ${expected} (${[...truth.fingerprints].join(', ')})`);
  }

  /** Hidden parts are refused, by an error that names the place. */
  private compareRefusal(who: string, answer: Answer): void {
    if ('report' in answer) return this.differs(who, `${answer.report.verdict}, though a hidden part is made`);
    const { code, message } = answer;
    const names = this.declared.some((name) => new RegExp(`\\b${name}\\b`).test(message));
    if (code !== 'NOT_PLAIN_DATA') this.differs(who, `${code} for a hidden part: ${message}`);
    else if (!names || !message.includes('secret') || !/event \d/.test(message))
      this.differs(who, `the error does not name process, event and path: ${message}`);
  }

  /** Whether a reason for unknown is documented, and applies here. */
  private mayDoubt(by: Complete, why: string, truth: Truth): boolean {
    if (/had not ended after/.test(why)) return this.isNeverSure(by, truth);
    return (
      /faults happened to declared processes only/.test(why) && truth.fingerprints.size === 0 && this.joinsAmidFaults
    );
  }

  /** Whether executions were cut, and this search cannot tell what that left out. */
  private isNeverSure(by: Complete, { isCut }: Truth): boolean {
    return isCut && !everyOrder.includes(by) && by !== 'worlds' && by !== 'breadth';
  }

  private get joinsAmidFaults(): boolean {
    const { crashes, restarts, partitions } = this.random.faults;
    return this.random.roles.has('worker') && crashes + restarts + partitions > 0;
  }

  /** All violations, and all ends. */
  private async compareSets(by: Complete, truth: Truth): Promise<void> {
    const { oracle, ends } = collector(this.random, this.declared, truth.executions);
    const system = systemOf(this.random, oracle);
    const answer = await this.ask(by, system, MANY);
    if (!('report' in answer)) return this.differs(by, `all: ${answer.code}: ${answer.message}`);
    if (!this.asksTwice(by)) this.compareVerdict(by, answer, truth);
    const { findings } = answer.report;
    this.executions += answer.report.executions;
    const found = new Set(findings.map(({ trace }) => fingerprintIn(trace)));
    const isStateful = stateful.includes(by);
    this.compareFound(by, found, truth, isStateful);
    if (!truth.isCut) this.compareEnds(by, ends, truth);
    for (const { trace } of findings.slice(0, 1)) await this.compareReplay(by, system, trace);
  }

  /** A world that is first met after a violation is not explored again: then its own violation is not reported. */
  private compareFound(by: Complete, found: ReadonlySet<string>, truth: Truth, isStateful: boolean): void {
    const { fingerprints } = truth;
    if (!isWithin(found, fingerprints)) this.differs(by, `found ${told(found)}, but there is ${told(fingerprints)}`);
    else if (!isStateful && !this.isNeverSure(by, truth) && !isWithin(fingerprints, found))
      this.differs(by, `found ${told(found)} only, and there is ${told(fingerprints)}`);
  }

  /** All ends of passing executions must be met; those of others may be. */
  private compareEnds(by: Complete, ends: ReadonlySet<string>, truth: Truth): void {
    const missed = without(truth.ends, ends);
    const surplus = without(ends, new Set([...truth.ends, ...truth.endsAfter]));
    if (missed.length > 0) this.differs(by, `misses ${missed.length} of ${truth.ends.size} ends:\n${missed[0]}`);
    if (surplus.length > 0) this.differs(by, `has ${surplus.length} ends that there are not:\n${surplus[0]}`);
  }

  private async compareReplay(by: string, system: System, trace: Trace): Promise<void> {
    try {
      const again = await replay(system, trace);
      if (fingerprintIn(again) !== fingerprintIn(trace)) this.differs(by, 'its violation is another one when replayed');
    } catch (error) {
      this.differs(by, `its violation does not replay: ${String(error)}`);
    }
  }

  /** A hunt must not find a violation that does not exist. */
  private async compareHunt(truth: Truth): Promise<void> {
    const { oracle, ends } = collector(this.random, this.declared, truth.executions);
    const system = systemOf(this.random, oracle);
    const bounds = { executions: HUNTED, violations: MANY, eventsMax: this.eventsMax };
    let findings;
    try {
      ({ findings } = await search(system, bounds));
    } catch (error) {
      if (this.family.hides && truth.hides) this.compareRefusal('hunt', refusalIn(error));
      else this.differs('hunt', `${refusalIn(error).code}: ${refusalIn(error).message}`);
      return;
    }
    if (truth.alwaysHides) this.differs('hunt', 'holds, though every execution makes a hidden part');
    const found = new Set(findings.map(({ trace }) => fingerprintIn(trace)));
    const invented = without(found, truth.fingerprints);
    if (invented.length > 0) this.differs('hunt', `found ${invented.join(', ')}, which there is not`);
    const surplus = without(ends, new Set([...truth.ends, ...truth.endsAfter]));
    if (!truth.isCut && surplus.length > 0) this.differs('hunt', `ends where no execution does:\n${surplus[0]}`);
    for (const { trace } of findings.slice(0, 1)) await this.compareReplay('hunt', system, trace);
  }

  private async ask(by: Complete, system: System, violations: number): Promise<Answer> {
    try {
      return { report: await check(system, { search: by, violations, eventsMax: this.eventsMax }) };
    } catch (error) {
      return refusalIn(error);
    }
  }

  private truthFor(by: Complete): Promise<Truth | undefined> {
    return this.known(this.boundsFor(by));
  }

  private truthForHunt(): Promise<Truth | undefined> {
    return this.known(this.boundsFor('novelty'));
  }

  /**
   * Searches by order place no losses, duplicates and holds, and only novelty places pauses. Novelty counts faults of the workload against the budgets, and
   * places faults wherever the kernel does.
   */
  private boundsFor(by: Complete): Bounds {
    const { faults, workload } = this.random;
    const tampers = everyOrder.includes(by) || stateful.includes(by);
    const countsWorkload =
      by === 'novelty' && workload.some(({ kind }) => ['crash', 'restart', 'cut', 'pause'].includes(kind));
    return {
      faults: {
        ...faults,
        ...(tampers ? {} : { losses: 0, duplicates: 0, holds: 0 }),
        ...(by === 'novelty' ? {} : { pauses: 0 }),
      },
      eventsMax: this.eventsMax,
      memo: true,
      nodesMax: NODES_MAX,
      countsWorkload,
      reachesAll: by === 'novelty' && this.joinsAmidFaults,
    };
  }

  private known(bounds: Bounds): Promise<Truth | undefined> {
    const key = JSON.stringify(bounds);
    let truth = this.truths.get(key);
    if (truth === undefined) this.truths.set(key, (truth = this.bruteForce(bounds)));
    return truth;
  }

  private bruteForce(bounds: Bounds): Promise<Truth | undefined> {
    const { random } = this;
    const subject: Subject = {
      resolved: resolveSystem(systemOf(random)),
      sink: random.sink,
      judge: ({ world }) => refutedIn(random, world),
      withPast: new Set([...random.roles].filter(([, role]) => isAsync(role)).map(([name]) => name)),
    };
    return bruteForce(subject, bounds);
  }
}

/** The error itself, or the one that ended a search. */
function refusalIn(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: 'none', message: String(error) };
  const { code = 'none' } = error as { readonly code?: string };
  const isEnd = code === 'CHECK_ENDED' || code === 'SEARCH_ENDED';
  return isEnd ? refusalIn(error.cause) : { code, message: code === 'none' ? String(error.stack) : error.message };
}

const fingerprintIn = ({ verdict }: Trace): string =>
  verdict.verdict === 'violated' ? verdict.fingerprint : 'nothing';

const without = (all: ReadonlySet<string>, some: ReadonlySet<string>): string[] =>
  [...all].filter((one) => !some.has(one));
const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean => without(some, all).length === 0;
const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && isWithin(one, other);
const told = (names: ReadonlySet<string>): string => [...names].join(', ') || 'nothing';
