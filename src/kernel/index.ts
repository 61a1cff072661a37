export type { AnyBehaviour, Behaviour, ClientNotes, Context, Disk, MessageOf, StateOf } from './behaviour.ts';
export type { Action, Declaration, Faults, Kind, Timing, Transport } from './declaration.ts';
export { defaultTransport, noFaults } from './declaration.ts';
export { act, crash, cut, cutOneWay, heal, healOneWay, restart, send, start, stop } from './externals.ts';
export type { ClientOperation } from './client-history.ts';
export { BadAnswer } from './answer.ts';
export type { Invariant, Judgement, Sampled, Witness } from './invariant.ts';
export { TimedOut } from './guard.ts';
export { drive, driveInTurns, HANDLER_MS, surely } from './drive.ts';
export type { Ending, ExecutionOptions, Outcome, Steps } from './loop.ts';
export { breather, execution, hung } from './loop.ts';
export type { Oracle, Session, Strategy, Target } from './ports.ts';
export { Rounds } from './rounds.ts';
export { Random } from './random.ts';
export type { Dropped, LogLine, Note, Output, Recording } from './recording.ts';
export {
  BadDelay,
  BadState,
  NotCalling,
  OutsideEvent,
  RealWait,
  Refused,
  Stuck,
  SystemThrew,
  UnknownAction,
  UnknownKind,
  UnknownProcess,
} from './refused.ts';
export { Simulation } from './simulation.ts';
export type { Failure, ProcessView, RunningProcess, World } from './world.ts';
export { Observer, pendingLines } from './observer.ts';
export type { Arbitrary } from './arbitrary.ts';
export type { WeighedKind, Weights } from './weights.ts';
export type { Generator, Plan, PlanItem, Trigger, TypedInternal, Wait, WorkloadItem } from './workload.ts';
export { generate, until, untilDeliveries, untilQuiet } from './workload.ts';
export type { Phrases } from './phrases.ts';
export type { Effect, ReductionRules, Touches } from './rules.ts';
