import type { Complete, Deliver, External, Fire, Return, Spawn } from '../trace/event.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import { badAnswer, isExternal, isList, truthOf } from '../kernel/user-code/answer.ts';
import type { ConcernedBy, Concerns } from './named-processes.ts';
import { drawFrom, type Arbitrary, type Drawn } from './arbitrary.ts';
import type { ArrivalFault } from './arrival-fault.ts';
import type { FaultRates } from './fault-rates.ts';
import type { Random } from '../kernel/data/random.ts';
import { SystemThrew } from '../kernel/errors.ts';
import { askAbout } from '../kernel/bound-world.ts';
import type { World } from '../kernel/world.ts';
import { plural } from '../text/plural.ts';

/** Holds the rest of the workload back until the condition is true. */
export type Wait = Condition | Pacing;

/** A wait for what the workload names: where events appear by themselves, it is an event. */
export type Condition =
  | UntilQuiet
  | { readonly kind: 'until'; readonly awaits: 'deliveries'; readonly count: number }
  | ({
      readonly kind: 'until';
      readonly awaits: 'world';
      readonly holds: (world: World) => boolean;
      readonly name?: string;
    } & WaitLimit);

/** A wait that only spaces the workload. It would litter a trace, and replays keep the time between inputs without it: no event. */
type Pacing =
  | (UntilQuiet & { readonly isPace: true })
  /** Only where events appear by themselves: elsewhere a round has no length. */
  | { readonly kind: 'until'; readonly awaits: 'round' };

type UntilQuiet = { readonly kind: 'until'; readonly awaits: 'quiet' } & WaitLimit;

/** A wait for a condition of the user. */
export type WaitForWorld = Extract<Wait, { awaits: 'world' }>;

interface WaitLimit {
  /** How long it waits at most, on the clock of the session; without it, as long as the execution lasts. */
  readonly withinMs?: number;
}

export interface UntilOptions extends WaitLimit {
  /**
   * What is awaited, as the end of a sentence: `a replica is promoted`. Where a wait takes time of its own, it is an event of this name,
   * and replays find the condition by it: give each condition a name of its own.
   */
  readonly name?: string;
}

/** A number of draws, each from one of the arbitraries, chosen by weight. A draw is an external, or a list of them and of waits in their order. */
export interface Generator<M = unknown> {
  readonly kind: 'generate';
  /** How many values are drawn in each execution. */
  readonly count: number;
  /** The arbitraries, each with its weight against the others. */
  readonly from: readonly (readonly [weight: number, arbitrary: Arbitrary<Draw<M>>])[];
}

type Draw<M = unknown> = External<M> | readonly (External<M> | Wait)[];

/** An event of the environment, a wait, or a generator of them. */
export type WorkloadItem<M = unknown> = External<M> | Wait | Generator<M>;

/** An event of a process, with the message as the system types it. */
export type TypedInternal<M> =
  | (Omit<Deliver, 'message'> & { readonly message: M })
  | (Omit<Return, 'message'> & { readonly message: M })
  | Fire
  | Complete
  | Spawn;

/** An external that happens once, right before or right after the first event that matches; or a fault of the message that would arrive. */
export type Trigger<M = unknown> =
  | {
      /** Asked about each event that is about to happen: the external comes first. */
      readonly before: (event: TypedInternal<M>) => boolean;
      readonly after?: never;
      /** Passed over if it cannot happen at that moment. */
      readonly do: External<M> | ArrivalFault;
    }
  | {
      /** Asked about each event that has happened: the external comes next. */
      readonly after: (event: TypedInternal<M>) => boolean;
      readonly before?: never;
      /** Passed over if it cannot happen at that moment. */
      readonly do: External<M>;
    };

/**
 * Holds the workload back until no event but timers is enabled. `withinMs`: at most so long on the clock of the session; then the
 * workload continues all the same.
 *
 * @example
 * defineSystem({ processes: { lock }, workload: [send('lock', { type: 'acquire' }), untilQuiet(), crash('lock')] });
 */
export const untilQuiet = (limit: WaitLimit = {}): UntilQuiet => ({
  kind: 'until',
  awaits: 'quiet',
  ...limited(limit),
});

const limited = ({ withinMs }: WaitLimit): WaitLimit => (withinMs === undefined ? {} : { withinMs });

/**
 * Holds the workload back for a round. In a workload with such waits, all that stands between two of them happens in one round, where
 * events appear by themselves.
 */
export const untilRound: Wait = { kind: 'until', awaits: 'round' };

export const isUntilRound = (item: PlanItem): boolean => item.kind === 'until' && item.awaits === 'round';

/** The same as `untilQuiet`, to space inputs that are generated. */
export const untilRested = (limit: WaitLimit = {}): Wait => ({ ...untilQuiet(limit), isPace: true });

export const isPacing = (wait: Wait): wait is Pacing => wait.awaits === 'round' || 'isPace' in wait;

/** Holds the workload back until this many more messages have been delivered. */
export const untilDeliveries = (count: number): Wait => ({ kind: 'until', awaits: 'deliveries', count });

/**
 * Holds the workload back until the predicate is true of the world. `withinMs`: at most so long on the clock of the session; then
 * the workload continues all the same.
 *
 * @example
 * defineSystem({ processes: { lock }, workload: [until((world) => world.length > 9), crash('lock')] });
 */
export const until = (holds: (world: World) => boolean, { name, ...limit }: UntilOptions = {}): Wait => ({
  kind: 'until',
  awaits: 'world',
  holds,
  ...(name === undefined ? {} : { name }),
  ...limited(limit),
});

/** What a wait of these items awaits, as the end of a sentence. Of two conditions without a name, the texts differ. */
export function conditionText(wait: Condition, items: readonly PlanItem[]): string {
  switch (wait.awaits) {
    case 'quiet':
      return 'the system is quiet';
    case 'deliveries':
      return `${plural(wait.count, 'more message')} ${wait.count === 1 ? 'is' : 'are'} delivered`;
    case 'world':
      return wait.name ?? `condition ${numberOf(wait, items)} of the workload is true`;
  }
}

/** The number of a condition among those of the workload, from 1. */
export const numberOf = (wait: WaitForWorld, items: readonly PlanItem[]): number =>
  items.filter((item) => item.kind === 'until' && item.awaits === 'world').indexOf(wait) + 1;

/**
 * Generates externals with fast-check arbitraries: `generate(20, [3, writes], [1, reads])`.
 *
 * @example
 * defineSystem({
 *   processes: { lock },
 *   workload: [generate(20, [3, fc.constant(send('lock', { type: 'acquire' }))], [1, fc.constant(crash('lock'))])],
 * });
 */
export const generate = <F extends readonly Weighted[]>(
  count: number,
  ...from: F
): Generator<MessageIn<F[number]>> & Concerns<ConcernedBy<DrawnBy<F[number]>>> => ({
  kind: 'generate',
  count,
  from: from as unknown as Generator<MessageIn<F[number]>>['from'],
});

type Weighted = readonly [weight: number, arbitrary: Arbitrary<Draw>];

/** The externals of an arbitrary with its weight. */
type DrawnBy<W> = W extends readonly [number, Arbitrary<infer D>] ? D : never;

/** The messages that they send. */
type MessageIn<W> = SentBy<DrawnBy<W>>;

type SentBy<D> = D extends readonly (infer E)[] ? SentBy<E> : D extends { kind: 'send'; message: infer M } ? M : never;

/** An item of a workload whose generators have been replaced by their values. */
export type PlanItem = External | Wait;

/** The events of the environment in one execution. */
export interface Plan {
  /** Externals and waits in their order, without generators: their values are here. */
  readonly items: readonly PlanItem[];
  /** The first items, which happen before any other event: the starts. */
  readonly startsFirst: number;
  /** Externals that happen at certain events, besides `items`. */
  readonly triggers: readonly Trigger[];
  /** How likely messages are lost or held back, each with the budget; left out if the system has no rates. */
  readonly faultRates?: FaultRates;
}

/** Called with every drawn value and its arbitrary. */
export type OnDrawn = (drawn: Drawn<External>, arbitrary: Arbitrary<External>) => void;

/** The workload of one execution: generated externals replace their generators. */
export const planned = (items: readonly WorkloadItem[], random: Random, onDrawn: OnDrawn = () => {}): PlanItem[] =>
  items.flatMap((item): PlanItem[] => (item.kind === 'generate' ? generated(item, random, items, onDrawn) : [item]));

function generated(generator: Generator, random: Random, among: readonly WorkloadItem[], onDrawn: OnDrawn): PlanItem[] {
  const { count } = generator;
  return Array.from({ length: count }, (): readonly PlanItem[] => {
    const arbitrary = chosenBy(random.float(), generator);
    const who = (): string => {
      const number = among.filter(({ kind }) => kind === 'generate').indexOf(generator) + 1;
      return `generate(…) number ${number} of the workload`;
    };
    const { value, context } = drawnFrom(arbitrary, random, who);
    // The externals of a list are dropped one by one where a failure is minimized, and shrunk no further.
    if (isList(value)) return value as readonly PlanItem[];
    onDrawn({ value: value as External, context }, arbitrary as Arbitrary<External>);
    return [value as External];
  }).flat();
}

/** The arbitrary of a generator at this share, from 0 to 1, of all weights. */
export function chosenBy(share: number, { from }: Generator): Arbitrary<Draw> {
  let left = share * from.reduce((sum, [weight]) => sum + weight, 0);
  const drawn = from.find(([weight]) => (left -= weight) < 0);
  // Rounding errors go to the last arbitrary.
  return (drawn ?? from.at(-1))?.[1] as Arbitrary<Draw>;
}

function drawnFrom(arbitrary: Arbitrary<Draw>, random: Random, who: () => string): Drawn<Draw> {
  let drawn: Drawn<Draw> | undefined;
  nowAsking(who);
  try {
    drawn = drawFrom(arbitrary, random);
  } catch (error) {
    throw new SystemThrew(who(), error);
  } finally {
    doneAsking();
  }
  const value = drawn?.value;
  if (
    drawn !== undefined &&
    (isList(value) ? value.every((item) => isExternal(item) || isWait(item)) : isExternal(value))
  )
    return drawn;
  throw badAnswer(who(), drawn?.value, 'Give arbitraries of externals: `fc.constant(send(…))`, say.');
}

/** Whether this is a wait that can be obeyed. */
export function isWait(given: unknown): given is Wait {
  const wait = given as Partial<Wait> | null | undefined;
  if (wait?.kind !== 'until') return false;
  switch (wait.awaits) {
    case 'quiet':
      return isLimit(wait.withinMs);
    case 'deliveries':
      return Number.isInteger(wait.count) && (wait.count as number) >= 0;
    case 'world':
      return typeof wait.holds === 'function' && isLimit(wait.withinMs) && isName(wait.name);
    case 'round':
      return true;
    default:
      return false;
  }
}

const isLimit = (ms: number | undefined): boolean => ms === undefined || ms >= 0;

const isName = (name: unknown): boolean => name === undefined || (typeof name === 'string' && name.trim() !== '');

/** Whether the condition of a wait is true of the world; `who` names the wait in messages. */
export function isMet({ holds }: WaitForWorld, world: World, who: () => string): boolean {
  let answer: unknown;
  nowAsking(who);
  try {
    answer = askAbout(world, holds);
  } catch (error) {
    throw new SystemThrew(who(), error);
  } finally {
    doneAsking();
  }
  return typeof answer === 'boolean' ? answer : truthOf(`${who()}, asked after event ${world.length},`, answer);
}
