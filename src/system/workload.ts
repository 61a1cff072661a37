import type { Complete, Deliver, External, Fire, Return, Spawn } from '../trace/event.ts';
import { doneAsking, nowAsking } from '../kernel/user-code/asking.ts';
import { badAnswer, isExternal, truthOf } from '../kernel/user-code/answer.ts';
import { drawFrom, type Arbitrary, type Drawn } from './arbitrary.ts';
import type { Random } from '../kernel/data/random.ts';
import { SystemThrew } from '../kernel/errors.ts';
import type { World } from '../kernel/world.ts';

/** Nothing further is injected until this is so. */
export type Wait =
  | { readonly kind: 'wait'; readonly until: 'quiet' }
  | { readonly kind: 'wait'; readonly until: 'deliveries'; readonly count: number }
  | { readonly kind: 'wait'; readonly until: 'world'; readonly holds: (world: World) => boolean };

/** So many externals, each from one of the arbitraries, drawn by weight. */
export interface Generator<M = unknown> {
  readonly kind: 'generate';
  readonly count: number;
  readonly from: readonly (readonly [weight: number, arbitrary: Arbitrary<External<M>>])[];
}

/** What the environment does, in order. */
export type WorkloadItem<M = unknown> = External<M> | Wait | Generator<M>;

/** An event of a process, with the message as the system types it. */
export type TypedInternal<M> =
  | (Omit<Deliver, 'message'> & { readonly message: M })
  | (Omit<Return, 'message'> & { readonly message: M })
  | Fire
  | Complete
  | Spawn;

/** Something that the environment does once, just before the first event that fits, or right after it. */
export type Trigger<M = unknown> = (
  | { readonly before: (event: TypedInternal<M>) => boolean; readonly after?: never }
  | { readonly after: (event: TypedInternal<M>) => boolean; readonly before?: never }
) & { readonly do: External<M> };

/** Holds the workload back until nothing but timers is left to happen. */
export const untilQuiet = (): Wait => ({ kind: 'wait', until: 'quiet' });

/** Holds the workload back until so many more messages have been delivered. */
export const untilDeliveries = (count: number): Wait => ({ kind: 'wait', until: 'deliveries', count });

/** Holds the workload back until this is true of the world. */
export const until = (holds: (world: World) => boolean): Wait => ({ kind: 'wait', until: 'world', holds });

/** So many externals from fast-check arbitraries: `generate(20, [3, writes], [1, reads])`. */
export const generate = <F extends readonly Weighted[]>(
  count: number,
  ...from: F
): Generator<MessageIn<F[number]>> => ({
  kind: 'generate',
  count,
  from: from as unknown as Generator<MessageIn<F[number]>>['from'],
});

type Weighted = readonly [weight: number, arbitrary: Arbitrary<External>];

/** The messages that an arbitrary of externals sends. */
type MessageIn<W> = W extends readonly [number, Arbitrary<infer E>]
  ? E extends { kind: 'send'; message: infer M }
    ? M
    : never
  : never;

/** A step of a workload whose generators have been asked. */
export type PlanItem = External | Wait;

/** What the environment does in one execution. */
export interface Plan {
  readonly items: readonly PlanItem[];
  /** The first so many happen before anything else: the starts. */
  readonly startsFirst: number;
  readonly triggers: readonly Trigger[];
}

/** Gets every value that is drawn, and from what. */
export type OnDrawn = (drawn: Drawn<External>, arbitrary: Arbitrary<External>) => void;

/** The workload of one execution: generators give way to what they generate. */
export const planned = (items: readonly WorkloadItem[], random: Random, onDrawn: OnDrawn = () => {}): PlanItem[] =>
  items.flatMap((item): PlanItem[] => (item.kind === 'generate' ? generated(item, random, items, onDrawn) : [item]));

function generated(generator: Generator, random: Random, among: readonly WorkloadItem[], onDrawn: OnDrawn): External[] {
  const { count, from } = generator;
  const total = from.reduce((sum, [weight]) => sum + weight, 0);
  return Array.from({ length: count }, () => {
    let left = random.float() * total;
    const drawn = from.find(([weight]) => (left -= weight) < 0);
    // Rounding may leave a crumb: then it is the last one's.
    const arbitrary = (drawn ?? from.at(-1))?.[1] as Arbitrary<External>;
    const who = (): string => {
      const number = among.filter(({ kind }) => kind === 'generate').indexOf(generator) + 1;
      return `generate(…) number ${number} of the workload`;
    };
    const external = drawnFrom(arbitrary, random, who);
    onDrawn(external, arbitrary);
    return external.value;
  });
}

function drawnFrom(arbitrary: Arbitrary<External>, random: Random, who: () => string): Drawn<External> {
  let drawn: Drawn<External> | undefined;
  nowAsking(who);
  try {
    drawn = drawFrom(arbitrary, random);
  } catch (error) {
    throw new SystemThrew(who(), error);
  } finally {
    doneAsking();
  }
  if (isExternal(drawn?.value)) return drawn;
  throw badAnswer(who(), drawn?.value, 'Give arbitraries of externals: `fc.constant(send(…))`, say.');
}

/** Whether what a wait is for is true of the world; `who` names the wait. */
export function isMet({ holds }: Extract<Wait, { until: 'world' }>, world: World, who: () => string): boolean {
  let answer: unknown;
  nowAsking(who);
  try {
    answer = holds(world);
  } catch (error) {
    throw new SystemThrew(who(), error);
  } finally {
    doneAsking();
  }
  return typeof answer === 'boolean' ? answer : truthOf(`${who()}, asked after event ${world.length},`, answer);
}
