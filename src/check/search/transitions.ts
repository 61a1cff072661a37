import { digestText, hex, mixHi, mixLo, type Digest } from '../../trace/digest.ts';
import type { External, Internal } from '../../trace/event.ts';
import type { Session } from '../../kernel/ports.ts';
import {
  isHeldBack,
  nextOf,
  standing,
  type ProgramProgress,
  type EnvironmentProgram,
} from '../../schedule/environment-program.ts';

/** An event that may happen next. */
export interface Transition {
  readonly step: Internal | External;
  /** Equal for the same event in executions that differ in the order of independent events. */
  readonly name: Digest;
  /** The name as one number. */
  readonly key: number;
  /** The thread of the environment that performs it, and the progress of the thread afterwards; -1 if it belongs to no thread. */
  readonly thread: number;
  readonly after: number;
  /** Whether it waited for a condition on the whole world. */
  readonly isGuarded: boolean;
}

/** The environment of the explored executions. */
export interface Environment {
  readonly threads: readonly EnvironmentProgram[];
  /** Whether it loses, duplicates or holds messages, within the budgets of the session. */
  readonly tampers: boolean;
}

/** A session, and the progress of the environment in it. */
export interface SearchState {
  readonly session: Session;
  readonly threads: readonly ProgramProgress[];
  /** The names of the events so far, by number. */
  readonly names: readonly Digest[];
}

/** All transitions at a state: those of processes, then those of the environment. */
export function transitionsAt(state: SearchState, { threads, tampers }: Environment): Transition[] {
  const { session, names } = state;
  const transitions: Transition[] = [];
  for (const event of session.enabled) transitions.push(internalTransition(event, names));
  for (const [thread, progress] of state.threads.entries()) {
    const next = nextOf(threads[thread] as EnvironmentProgram, progress, session);
    if (next === undefined) continue;
    const name = nameOfItem(threads[thread] as EnvironmentProgram, progress.at, next.after);
    transitions.push({ ...next, step: next.external, name, key: keyOf(name), thread });
  }
  if (tampers) for (const fault of session.faults()) addTampering(fault, transitions, session);
  return transitions;
}

/** The digest as one number of 53 bits, so that maps and comparisons are cheap. */
export const keyOf = ({ hi, lo }: Digest): number => (hi & 0x1f_ffff) * 0x1_0000_0000 + (lo >>> 0);

/**
 * The transition of an internal event. Its name follows from its cause, not from the whole history of its maker: rules
 * may declare that history irrelevant.
 */
export function internalTransition(event: Internal, names: readonly Digest[]): Transition {
  const { hi, lo } = names[event.cause] as Digest;
  const word = 2 * (event.nth as number) + (event.kind === 'return' ? 1 : 0);
  const name = { hi: mixHi(hi, word), lo: mixLo(lo, word) };
  return { step: event, name, key: keyOf(name), thread: -1, after: 0, isGuarded: false };
}

const itemNames = new WeakMap<EnvironmentProgram, Map<number, Digest>>();

/** The name of an external. Skipped items are part of it. */
function nameOfItem(thread: EnvironmentProgram, from: number, after: number): Digest {
  let names = itemNames.get(thread);
  if (names === undefined) itemNames.set(thread, (names = new Map<number, Digest>()));
  const at = from * (thread.items.length + 1) + after;
  let name = names.get(at);
  if (name === undefined) names.set(at, (name = digestText(`${thread.name} ${from} ${after}`)));
  return name;
}

function addTampering(fault: External, transitions: Transition[], { recording }: Session): void {
  // Only a session with a clock delays messages, and no search has one.
  if (!('target' in fault) || fault.kind === 'delay') return;
  const called = (id: string): Transition | undefined =>
    transitions.find(({ step }) => 'hi' in step && hex(step) === id);
  const message = called(fault.target);
  const until = fault.kind === 'hold' ? called(fault.until) : undefined;
  if (message === undefined || (fault.kind === 'hold' && until === undefined)) return;
  // A message can be lost once, but duplicated and held repeatedly.
  const before = fault.kind === 'lose' ? 0 : recording.events.since(0).filter(({ kind }) => kind === fault.kind).length;
  const word = TAMPERING[fault.kind] + 4 * before;
  const named = { hi: mixHi(message.name.hi, word), lo: mixLo(message.name.lo, word) };
  const name = until === undefined ? named : mixed(named, until.name);
  transitions.push({ step: fault, name, key: keyOf(name), thread: -1, after: 0, isGuarded: false });
}

const TAMPERING = { lose: 1, duplicate: 2, hold: 3 } as const;

const mixed = (one: Digest, other: Digest): Digest => ({
  hi: mixHi(mixHi(one.hi, other.hi), other.lo),
  lo: mixLo(mixLo(one.lo, other.lo), other.hi),
});

/** The faults that the environment may still add, within the budgets of the world. */
export const faultTransitionsAt = ({ session }: SearchState): Transition[] =>
  session.faults().map((fault) => {
    const name = digestText(`${JSON.stringify(fault)} ${timesBefore(fault, session)}`);
    return { step: fault, name, key: keyOf(name), thread: -1, after: 0, isGuarded: false };
  });

/** The number of earlier faults of this kind, which is part of the name. */
function timesBefore(fault: External, { world, recording }: Session): number {
  if (fault.kind === 'crash' || fault.kind === 'restart') return world.process(fault.process).restarts;
  return recording.events.since(0).filter(({ kind }) => kind === fault.kind).length;
}

/** The transition that has waited longest, so that nothing waits forever. The environment comes last. */
export const oldest = (transitions: readonly Transition[]): Transition =>
  transitions.reduce((best, transition) => (ageOf(transition) < ageOf(best) ? transition : best));

const ageOf = ({ step }: Transition): number => ('cause' in step ? step.cause : Number.MAX_SAFE_INTEGER);

/** The name of an execution, up to the order of independent events, as far as it decides the future. */
export const nameOf = ({ session, threads: progress }: SearchState, { threads }: Environment): string =>
  `${hex(session.name())} ${progress.map((one, at) => standing(threads[at] as EnvironmentProgram, one, session)).join()}`;

/** Whether a thread of the environment still waits. */
export const isWaiting = ({ session, threads }: SearchState, environment: Environment): boolean =>
  environment.threads.some((thread, at) => isHeldBack(thread, threads[at] as ProgramProgress, session));
