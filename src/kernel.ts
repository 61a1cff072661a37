export type { AnyBehavior, Behavior, ClientNotes, Context, Disk, MessageOf, StateOf } from './kernel/behavior.ts';
export type { Action, Declaration, Faults, Kind, Timing, Transport } from './kernel/declaration.ts';
export { defaultTransport, noFaults } from './kernel/declaration.ts';
export { act, crash, cut, cutOneWay, heal, healOneWay, restart, send, start, stop } from './system/externals.ts';
export type { ClientOperation } from './kernel/client-history.ts';
export { BadAnswer } from './kernel/user-code/answer.ts';
export type { Invariant, Judgment, Sampled, Witness } from './system/invariant.ts';
export { TimedOut } from './kernel/user-code/time-limit.ts';
export { drive, driveInTurns, HANDLER_MS, surely } from './kernel/drive.ts';
export type { Ending, ExecutionOptions, Outcome, Steps } from './kernel/loop.ts';
export { breather, execution, hung } from './kernel/loop.ts';
export type { Oracle, Session, Strategy, Target } from './kernel/ports.ts';
export { Rounds } from './kernel/rounds.ts';
export { Random } from './kernel/data/random.ts';
export type { Dropped, LogLine, Note, Output, Recording } from './kernel/recording.ts';
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
} from './kernel/errors.ts';
export { Simulation } from './kernel/simulation.ts';
export type { Failure, ProcessView, RunningProcess, World } from './kernel/world.ts';
export { Observer, pendingLines } from './kernel/observer.ts';
export type { Arbitrary } from './system/arbitrary.ts';
export type { WeighedKind, Weights } from './kernel/options/weights.ts';
export type { Generator, Plan, PlanItem, Trigger, TypedInternal, Wait, WorkloadItem } from './system/workload.ts';
export { generate, until, untilDeliveries, untilQuiet } from './system/workload.ts';
export type { Phrases } from './system/phrases.ts';
export type { Effect, ReductionRules, Touches } from './system/reduction-rules.ts';
