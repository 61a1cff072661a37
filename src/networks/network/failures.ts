import { crash, cut, heal, pause, restart, resume } from '../../system/externals.ts';
import type { External } from '../../trace/event.ts';
import { failControl, recoverControl, resetChannel } from '../switch/switch-faults.ts';
import { endText } from '../topology/topology.ts';
import type { FailureBudgets, NetworkFaults } from './network-faults.ts';
import type { RoundSubject } from './round-subject.ts';

type Budget = keyof FailureBudgets;

/** One way in which things of a kind fail. */
interface FailureMode<T> {
  readonly rate: number | undefined;
  readonly budget: Budget;
  readonly fail: (thing: T) => External;
  /** Left out if the thing works again by itself. */
  readonly recovery?: {
    readonly rate: number | undefined;
    readonly budget?: Budget;
    readonly recover: (thing: T) => External;
  };
}

/** Draws whether something happens at a rate, as often as its budget allows. */
export class Chances {
  private readonly spent = new Map<Budget, number>();

  constructor(
    private readonly nextDouble: () => number,
    private readonly budgets: FailureBudgets,
  ) {}

  happens(rate = 0, budget?: Budget): boolean {
    if (rate === 0) return false;
    const spent = budget === undefined ? 0 : (this.spent.get(budget) ?? 0);
    const isLeft = budget === undefined || spent < (this.budgets[budget] ?? Infinity);
    // Drawn in any case, so that a budget changes nothing before it is spent.
    if (this.nextDouble() >= rate || !isLeft) return false;
    if (budget !== undefined) this.spent.set(budget, spent + 1);
    return true;
  }
}

/** Gives the failures and recoveries of a round. */
type RoundOfFailures = (chances: Chances) => External[];

/** Things that fail in one of these ways, and recover from it before they fail again. */
function failing<T>(things: readonly T[], modes: readonly FailureMode<T>[]): RoundOfFailures {
  const failed = new Map<T, Required<FailureMode<T>>['recovery']>();
  const next = (thing: T, chances: Chances): External | undefined => {
    const recovery = failed.get(thing);
    if (recovery !== undefined) {
      if (!chances.happens(recovery.rate, recovery.budget)) return undefined;
      failed.delete(thing);
      return recovery.recover(thing);
    }
    const mode = modes.find(({ rate, budget }) => chances.happens(rate, budget));
    if (mode?.recovery !== undefined) failed.set(thing, mode.recovery);
    return mode?.fail(thing);
  };
  return (chances) => things.flatMap((thing) => next(thing, chances) ?? []);
}

/** A crash of a process, and its restart. */
const crashing = (rate: number | undefined, recoveryRate: number | undefined): FailureMode<string> => ({
  rate,
  budget: 'crashes',
  fail: crash,
  recovery: { rate: recoveryRate, budget: 'restarts', recover: restart },
});

type Ends = readonly [string, string];

/** A cut of a link, and its heal. */
const cutting = (
  rate: number | undefined,
  recoveryRate: number | undefined,
  fail: (...ends: Ends) => External,
  recover: (...ends: Ends) => External,
): FailureMode<Ends> => ({
  rate,
  budget: 'partitions',
  fail: (ends) => fail(...ends),
  recovery: { rate: recoveryRate, recover: (ends) => recover(...ends) },
});

/** The parts of a network that fail, in the order of STS. */
export interface NetworkFailures {
  readonly channels: RoundOfFailures;
  readonly switches: RoundOfFailures;
  readonly links: RoundOfFailures;
  readonly controllers: RoundOfFailures;
  readonly controllerPairs: RoundOfFailures;
}

export function failuresIn({ topology, traffic, controllersOf }: RoundSubject, rates: NetworkFaults): NetworkFailures {
  const switches = topology.switches.map(({ name }) => name);
  const channels = switches.flatMap((name) => controllersOf(name).map((controller): Ends => [controller, name]));
  const controllers = [...new Set(channels.map(([controller]) => controller))];
  const links = topology.links.map(({ ends: [one, other] }): Ends => [endText(one), endText(other)]);
  return {
    channels: failing(channels, [
      cutting(rates.channelBlock, rates.channelUnblock, cut, heal),
      {
        rate: rates.channelReset,
        budget: 'channelResets',
        fail: ([controller, name]) => resetChannel(name, controller),
      },
    ]),
    switches: failing(switches, [
      {
        rate: rates.controlFailure,
        budget: 'controlFailures',
        fail: failControl,
        recovery: { rate: rates.controlRecovery, recover: recoverControl },
      },
      crashing(rates.powerFailure, rates.powerRecovery),
    ]),
    links: failing(links, [cutting(rates.linkFailure, rates.linkRecovery, traffic.cutLink, traffic.healLink)]),
    controllers: failing(controllers, [
      crashing(rates.controllerFailure, rates.controllerRecovery),
      {
        rate: rates.controllerPause,
        budget: 'pauses',
        fail: pause,
        recovery: { rate: rates.controllerResume, recover: resume },
      },
    ]),
    controllerPairs: failing(pairsOf(controllers), [
      cutting(rates.controllerPartition, rates.controllerHeal, cut, heal),
    ]),
  };
}

const pairsOf = (names: readonly string[]): Ends[] =>
  names.flatMap((one, at) => names.slice(at + 1).map((other): Ends => [one, other]));
