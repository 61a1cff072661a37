import { CulpritError, isOf } from '../error.ts';
import { ENVIRONMENT, type External } from '../trace/event.ts';
import {
  defaultPace,
  defaultWaiting,
  defaultTransport,
  noFaults,
  type Action,
  type Declaration,
  type Kind,
  type Pace,
  type WaitingSettings,
  type Transport,
} from '../kernel/declaration.ts';
import { everyMessageIsOurs, guaranteesOf, uncontrolledHosts } from '../kernel/guarantees.ts';
import type { Guarantees } from '../kernel/host.ts';
import { isExternal, shownAnswer } from '../kernel/user-code/answer.ts';
import type { AnyBehavior } from '../kernel/behavior.ts';
import { didYouMean } from '../text/did-you-mean.ts';
import { withoutUndefined } from '../kernel/options/fields.ts';
import { start } from './externals.ts';
import { TimedOut, withinMs } from '../kernel/user-code/time-limit.ts';
import type { Invariant, Sampled } from './invariant.ts';
import type { Oracle } from '../kernel/ports.ts';
import type { AnyPhrases } from './phrases.ts';
import type { StepCommand } from './step-commands.ts';
import { SystemHangs, SystemThrew } from '../kernel/errors.ts';
import type { ReductionRules } from './reduction-rules.ts';
import type { World } from '../kernel/world.ts';
import { Random } from '../kernel/data/random.ts';
import { whyBadWeights, type Weights } from '../kernel/options/weights.ts';
import { Shrinking } from './arbitrary.ts';
import { isUntilRound, isWait, planned, type Generator, type Plan, type WorkloadItem } from './workload.ts';
import { resolveHints, type ResolvedHints } from './hints.ts';
import { ratesBeside } from './arrival-fault.ts';
import { checkTrigger } from './check-trigger.ts';
import { budgetsWith, faultRatesOf, type GivenFaultRates } from './fault-rates.ts';
import { askedRule } from './passing.ts';
import { mustBeSystem } from './must-be.ts';
import type { AnyDefinition, Parameter, Parameters, System } from './definition.ts';
import { BadSystem, checkBehavior, checkDefinition } from './check-definition.ts';
import { linksIn } from './links.ts';
import type { ProcessTopology } from '../trace/topology.ts';
import { checkTopology } from './topology.ts';

/**
 * A system with every parameter set and every default filled in. All code after this point uses it instead of the
 * definition.
 */
export interface ResolvedSystem {
  /** As the definition gives it; undefined means the name of the file. */
  readonly name: string | undefined;
  /** All of them, those that were not set with their defaults. */
  readonly parameters: Parameters;
  /** The part that the kernel uses. */
  readonly declaration: Declaration;
  /** The graph for readers; undefined if the system declares none. */
  readonly topology: ProcessTopology | undefined;
  /** How likely a hunt chooses events of each kind. */
  readonly weights: Weights;
  /** What all processes and kinds promise: commands ask these, and no host. */
  readonly guarantees: Guarantees;
  /** Present where events appear by themselves. */
  readonly pace: Pace | undefined;
  /** The same: how replays wait. */
  readonly waiting: WaitingSettings | undefined;
  /** All events of the environment in the execution of a seed, the starts first. */
  plan(seed: number): Plan;
  /** Whether the workload depends on the seed. */
  readonly isDrawn: boolean;
  /** Shrinks the externals of that execution with the arbitraries that generated them. */
  shrinking(seed: number): Shrinking;
  /** Predicates of worlds, by name; oracles among them are in `oracles`. */
  readonly invariants: ReadonlyMap<string, Invariant<World> | Sampled<World>>;
  /** All oracles, by name, those of `invariants` included. */
  readonly oracles: ReadonlyMap<string, Oracle>;
  /** Predicates that must become true in some execution, by name. */
  readonly sometimes: ReadonlyMap<string, (world: World) => boolean>;
  /** Facts for the minimizer, each with its default. */
  readonly hints: ResolvedHints;
  /** Rules by which a check tries fewer orders. */
  readonly rules: ReductionRules;
  /** The system's own wording; empty if it leaves all to culprit. */
  readonly phrases: AnyPhrases;
  /** Commands of `culprit step`, by name. */
  readonly commands: ReadonlyMap<string, StepCommand>;
}

/** Timers that fire at any moment, beside a process that does things by itself. */
class TimersOfSession extends CulpritError {
  readonly code = 'TIMERS_OF_SESSION';

  constructor(declaration: Declaration) {
    const [host] = uncontrolledHosts(declaration);
    super(
      `timers: 'any' is not possible beside a process that is ${host?.name}: timers fire when they are due on its clock.`,
      'Leave `timers` out.',
    );
  }
}

/** An unknown parameter, or a value of the wrong type. */
export class BadParameter extends CulpritError {
  readonly code = 'BAD_PARAMETER';
}

/** The system with these parameters, and with every default filled in. */
export function resolveSystem(system: System, settings: Readonly<Record<string, Parameter>> = {}): ResolvedSystem {
  mustBeSystem('resolveSystem', system);
  const parameters = { ...system.parameters };
  for (const [name, value] of Object.entries(settings)) parameters[name] = checkedSetting(system, name, value);
  const definition = defined(system, parameters);
  const hints = resolveHints(definition.minimize);
  const declaration = declare(definition, hints);
  const guarantees = guaranteesOf(declaration);
  const workload = definition.workload ?? [];
  workload.forEach(checkItem);
  const triggers = definition.triggers ?? [];
  triggers.forEach(checkTrigger);
  const starts = startsBefore(declaration, workload);
  const faultRates = faultRatesOf(givenRates(definition), declaration.faults);
  const plan = (seed: number): Plan => ({
    items: [
      ...starts,
      ...planned(workload, randomOf(seed)).filter((item) => !guarantees.controlled || !isUntilRound(item)),
    ],
    startsFirst: starts.length,
    triggers,
    ...(faultRates === undefined ? {} : { faultRates }),
  });
  const isDrawn = workload.some(({ kind }) => kind === 'generate');
  const commonPlan = isDrawn ? undefined : plan(0);
  return {
    name: definition.name,
    parameters,
    declaration,
    guarantees,
    pace: guarantees.controlled ? undefined : { ...defaultPace, ...withoutUndefined(definition.pace ?? {}) },
    waiting: guarantees.controlled ? undefined : waitingOf(definition, declaration),
    topology: checkTopology(definition.topology, declaration),
    weights: weightsOf(definition.weights),
    plan: (seed) => commonPlan ?? plan(seed),
    isDrawn,
    shrinking: (seed) => shrinkingOf(workload, seed),
    ...judgesOf(definition),
    sometimes: new Map(Object.entries(definition.sometimes ?? {}) as [string, (world: World) => boolean][]),
    hints,
    rules: definition.reduce ?? {},
    phrases: (definition.phrases ?? {}) as AnyPhrases,
    commands: new Map(Object.entries(definition.commands ?? {})),
  };
}

interface WithWaiting {
  readonly waiting?: Partial<WaitingSettings> | undefined;
}

/** A replay holds messages that it does not have back where every message is ours: as in a system that is controlled. */
const waitingOf = ({ waiting }: WithWaiting, declaration: Declaration): WaitingSettings => ({
  ...defaultWaiting,
  ...(everyMessageIsOurs(declaration) ? { unexpected: 'hold' } : {}),
  ...withoutUndefined(waiting ?? {}),
});

/** Oracles among the invariants are oracles: a user need not know which of them remember something. */
function judgesOf({ invariants = {}, oracles = {} }: AnyDefinition): Pick<ResolvedSystem, 'invariants' | 'oracles'> {
  const predicates = new Map<string, Invariant<World> | Sampled<World>>();
  const judges = new Map<string, Oracle>();
  for (const [name, given] of Object.entries(invariants)) {
    if (typeof given === 'object' && 'judge' in given) judges.set(name, given);
    else predicates.set(name, given);
  }
  for (const [name, oracle] of Object.entries(oracles)) {
    if (judges.has(name))
      throw new BadSystem(`${name} is an oracle among the invariants and among the oracles.`, 'Rename one of them.');
    judges.set(name, oracle);
  }
  return { invariants: predicates, oracles: judges };
}

const randomOf = (seed: number): Random => Random.seeded(seed, 0x776f_726b);

/** Draws the workload again, because the shrink contexts of arbitraries are not in the trace. */
function shrinkingOf(workload: readonly WorkloadItem[], seed: number): Shrinking {
  const shrinking = new Shrinking();
  planned(workload, randomOf(seed), (drawn, from) => shrinking.add(drawn, from));
  return shrinking;
}

/** Time limit for the function that defines a system. */
const DEFINE_MS = 10_000;

function defined(system: System, parameters: Parameters): AnyDefinition {
  const who = 'defining the system';
  try {
    return withinMs(DEFINE_MS, () => system.define(parameters));
  } catch (error) {
    if (isOf(error, TimedOut)) throw new SystemHangs(who, DEFINE_MS);
    throw isOf(error, CulpritError) ? error : new SystemThrew(who, error);
  }
}

/** Values from the command line are text; they are converted to the type of the default. */
function checkedSetting({ parameters }: System, name: string, value: Parameter): Parameter {
  const byDefault = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (byDefault === undefined) {
    const known = Object.keys(parameters);
    throw new BadParameter(
      `the system has no parameter called ${name}${didYouMean(name, known) || `: it has ${known.join(', ') || 'none'}.`}`,
      'Check the spelling of --set.',
    );
  }
  const taken = typeof value === 'string' ? fromText(value, byDefault) : value;
  if (typeof taken !== typeof byDefault) {
    throw new BadParameter(
      `the parameter ${name} takes a ${typeof byDefault}, not ${JSON.stringify(value)}.`,
      `Its default is ${JSON.stringify(byDefault)}: try --set ${name}=${String(byDefault)}.`,
    );
  }
  return taken;
}

function fromText(text: string, byDefault: Parameter): Parameter {
  if (typeof byDefault === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  if (typeof byDefault === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function declare(definition: AnyDefinition, { contentOf }: ResolvedHints): Declaration {
  checkDefinition(definition);
  const processes = new Map(Object.entries(definition.processes));
  const kinds = new Map(Object.entries(definition.kinds ?? {}).map(([name, kind]) => [name, checkedKind(name, kind)]));
  for (const name of processes.keys()) checkName(name);
  if (processes.size === 0 && kinds.size === 0)
    throw new BadSystem('the system has no processes.', 'Give `processes` at least one.');
  const faults = {
    ...noFaults,
    ...budgetsWith(givenRates(definition)),
    ...withoutUndefined(definition.faults ?? {}),
  };
  return withClock(definition, {
    processes,
    kinds,
    actions: new Map(Object.entries(definition.actions ?? {}) as [string, Action][]),
    transport: transportOf(definition.transport),
    timers: definition.timers ?? 'any',
    faults,
    ...(definition.links === undefined ? {} : { links: linksIn(definition.links, [...processes.keys()], faults) }),
    fingerprint: contentOf,
    ...(definition.passing === undefined ? {} : { passing: definition.passing.map(askedRule) }),
  });
}

/** Where events appear by themselves, timers fire when they are due on the clock of the session, and rounds have a length. */
function withClock({ timers, pace = {} }: AnyDefinition, declaration: Declaration): Declaration {
  if (guaranteesOf(declaration).controlled) return declaration;
  if (timers === 'any') throw new TimersOfSession(declaration);
  return { ...declaration, timers: { skewMs: 0 }, roundMs: pace.roundMs ?? defaultPace.roundMs };
}

function checkName(name: string): void {
  if (name !== ENVIRONMENT && name.trim() === name && name !== '') return;
  throw new BadSystem(
    `${JSON.stringify(name)} cannot be the name of a process.`,
    `A name is not empty, has no surrounding spaces, and is not "${ENVIRONMENT}", which stands for the environment.`,
  );
}

/** The same kind, but every behavior that it makes is checked. */
function checkedKind(name: string, kind: Kind): Kind {
  const checked = (args: never): AnyBehavior => {
    const behavior = behaviorOf(name, kind, args);
    checkBehavior(`the process of kind ${name}`, behavior);
    return behavior;
  };
  return kind.host === undefined ? checked : Object.assign(checked, { host: kind.host });
}

function behaviorOf(name: string, kind: Kind, args: never): AnyBehavior {
  try {
    return kind(args);
  } catch (error) {
    throw new SystemThrew(`the kind ${name}`, error);
  }
}

function transportOf(given: AnyDefinition['transport'] = {}): Transport {
  const { onCrash, ...rest } = typeof given === 'string' ? { order: given, onCrash: undefined } : given;
  return {
    ...defaultTransport,
    ...withoutUndefined(rest),
    onCrash: { ...defaultTransport.onCrash, ...withoutUndefined(onCrash ?? {}) },
  };
}

function weightsOf(given: Weights = {}): Weights {
  const wrong = whyBadWeights(given);
  if (wrong !== undefined) throw new BadSystem(...wrong);
  return given;
}

function checkItem(item: WorkloadItem | null | undefined, at: number): void {
  if (item?.kind === 'generate') checkGenerator(item);
  else if (item?.kind === 'until' ? !isWait(item) : !isExternal(item))
    throw new BadSystem(
      `number ${at + 1} of the workload is ${shownAnswer(item)}, which is neither an action nor a wait.`,
      'Give externals (send(…), crash(…)), waits (untilQuiet(), until(…)), or generate(…).',
    );
}

const givenRates = ({ triggers = [], faultRates, faults }: AnyDefinition): GivenFaultRates =>
  ratesBeside(triggers, faultRates, withoutUndefined(faults ?? {}));

function checkGenerator({ count, from }: Generator): void {
  for (const drawn of from as readonly unknown[]) checkDrawn(drawn);
  const weights = from.map(([weight]) => weight);
  if (!Number.isInteger(count) || count < 0) {
    throw new BadSystem(`the workload generates ${String(count)} externals.`, 'Give a whole number, 0 or more.');
  }
  if (weights.every((weight) => Number.isFinite(weight) && weight >= 0) && weights.some((weight) => weight > 0)) return;
  throw new BadSystem(
    `the weights of the workload are ${weights.join(', ') || 'missing'}: nothing could be generated.`,
    'Give each arbitrary a weight of 0 or more, and at least one of them more than 0.',
  );
}

/** One weighted arbitrary of a generator. */
function checkDrawn(drawn: unknown): void {
  const [weight, arbitrary] = Array.isArray(drawn) ? (drawn as readonly unknown[]) : [];
  const draws = typeof arbitrary === 'object' && arbitrary !== null && 'generate' in arbitrary;
  if (typeof weight === 'number' && draws) return;
  throw new BadSystem(
    `generate takes a weight and an arbitrary in brackets, not ${shownAnswer(drawn)}.`,
    'Give generate(20, [3, writes], [1, reads]), with arbitraries of fast-check.',
  );
}

/** Declared processes start first, except those that the workload starts itself. */
function startsBefore({ processes }: Declaration, workload: readonly WorkloadItem[]): External[] {
  const started = new Set(workload.flatMap((external) => (external.kind === 'start' ? [external.process] : [])));
  return [...processes.keys()].filter((name) => !started.has(name)).map((name) => start(name));
}
