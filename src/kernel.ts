/** The entry for authors of strategies, oracles, searches and tools: sessions, parts, options, reports and errors. */
export { CheckEnded } from './check/check-ended.ts';
export { BadCheckpoint, type SavedCheck } from './check/checkpoint.ts';
export { policyNames, type Policy } from './check/reduce/policies.ts';
export type {
  CheckFinding,
  CheckProgress,
  CheckReport,
  RefutedRule,
  EstimatedReduction,
  Within,
} from './check/report.ts';
export { searchNames, type SearchName } from './check/searches.ts';
export type { CoverageReport } from './coverage/coverage.ts';
export type { Leak } from './determinism/diagnose.ts';
export type { CheckResult, ExecuteElsewhere } from './doctor/check.ts';
export type { DoctorOptions } from './doctor/doctor.ts';
export { NothingToExplain } from './explain/why/explain-why.ts';
export type { ExplainWhyOptions, ExplainWhyProgress } from './explain/why/options.ts';
export { targetOf } from './hosts/target.ts';
export type { SearchOptions } from './hunt/options.ts';
export type { Finding, SearchProgress, SearchReport } from './hunt/report.ts';
export { SearchEnded } from './hunt/search-ended.ts';
export type { AnyBehavior, Behavior, ClientNotes, Context, Disk, MessageOf, StateOf } from './kernel/behavior.ts';
export type { ClientOperation } from './kernel/client-history.ts';
export { Random } from './kernel/data/random.ts';
export {
  defaultTransport,
  noFaults,
  type Action,
  type Declaration,
  type DeclaredLink,
  type LinkReport,
  type Faults,
  type Kind,
  type PassingRule,
  type Timing,
  type Transport,
  type WaitingSettings,
} from './kernel/declaration.ts';
export { drive, driveInTurns, HANDLER_MS, surely } from './kernel/drive.ts';
export {
  BadDelay,
  BadState,
  BadView,
  NotCalling,
  NotReady,
  OutsideEvent,
  RealWait,
  Refused,
  Stuck,
  SystemThrew,
  UnknownAction,
  UnknownKind,
  UnknownProcess,
} from './kernel/errors.ts';
export {
  TimeSlice,
  execution,
  hung,
  type Ending,
  type ExecutionOptions,
  type Outcome,
  type Steps,
} from './kernel/loop.ts';
export { guaranteesOf, NotGuaranteed } from './kernel/guarantees.ts';
export type { Guarantees, Host } from './kernel/host.ts';
export { Observer, pendingLines } from './kernel/observer.ts';
export { BadOption } from './kernel/options/options.ts';
export type { WeighedKind, Weights } from './kernel/options/weights.ts';
export {
  Pause,
  type Oracle,
  type Session,
  type SessionCheckpoint,
  type Strategy,
  type Target,
  type Waited,
} from './kernel/ports.ts';
export type { Dropped, LogLine, Note, Output, Recording } from './kernel/recording.ts';
export { Rounds } from './kernel/rounds.ts';
export { Simulation } from './kernel/simulation.ts';
export type { Exit } from './kernel/uncontrolled/inbox.ts';
export type { Io } from './kernel/uncontrolled/io.ts';
export { FakeClock, RealClock, type SessionClock } from './kernel/uncontrolled/session-clock.ts';
export { BadAnswer } from './kernel/user-code/answer.ts';
export { TimedOut } from './kernel/user-code/time-limit.ts';
export type { Failure, ProcessView, RunningProcess, World } from './kernel/world.ts';
export type { Reproduction } from './minimize/flaky.ts';
export {
  minimizeInputs,
  NotViolated,
  type MinimizedInputs,
  type MinimizeInputsOptions,
  type TestbedAnswer,
} from './minimize/minimize-inputs.ts';
export { NothingToMinimize } from './minimize/minimize.ts';
export type { MinimizeOptions } from './minimize/options.ts';
export { BadPass, passNames, type PassName } from './minimize/pass-registry.ts';
export { pipelineNames, type PipelineName } from './minimize/pipelines.ts';
export type { Certificate, Minimized, MinimizeProgress, Stage } from './minimize/report.ts';
export { allOf } from './oracles/all-of.ts';
export { invariantOracle, InvariantThrew, noUncaughtException } from './oracles/invariants.ts';
export { BadHistory } from './oracles/linearizability/bad-history.ts';
export type { Budget } from './oracles/linearizability/budget.ts';
export type { Linearizability } from './oracles/linearizability/linearizability.ts';
export type { Step } from './oracles/linearizability/model.ts';
export type { Operation } from './oracles/linearizability/operation.ts';
export { linearizabilityVerdict } from './oracles/linearizability/verdict.ts';
export type { NotLinearizable } from './oracles/linearizability/violation.ts';
export type { Call, Vocabulary } from './oracles/linearizability/vocabulary.ts';
export type { ProgressOptions } from './oracles/progress.ts';
export type { Tried } from './replay/neighborhood.ts';
export type { Deviation, Diverged, Fixed, Recheck, RecheckOptions, Reproduced } from './replay/recheck.ts';
export type { ReplayOptions } from './replay/replay.ts';
export type { Candidate, Chooser } from './schedule/choosers/chooser.ts';
export { RandomChooser } from './schedule/choosers/random.ts';
export { ReplayDiverged, ReplayStrategy, ReplayThen } from './schedule/replay/exact-replay.ts';
export {
  BadStrategy,
  strategyCalled,
  strategyNames,
  type StrategyName,
  type StrategyOptions,
} from './schedule/strategies.ts';
export { WorkloadDriver } from './schedule/workload-driver.ts';
export { stepAlong } from './step/step-along.ts';
export type { Arbitrary } from './system/arbitrary.ts';
export type { ArrivalFault } from './system/arrival-fault.ts';
export { BadSystem } from './system/check-definition.ts';
export type { Definition, MinimizeHints, Parameters } from './system/definition.ts';
export { act, crash, cut, cutOneWay, heal, healOneWay, restart, send, start, stop } from './system/externals.ts';
export type { Invariant, Judgment, Sampled, Witness } from './system/invariant.ts';
export type { Phrases } from './system/phrases.ts';
export type { StepCommand, StepView } from './system/step-commands.ts';
export type { Effect, ReductionRules, Touches } from './system/reduction-rules.ts';
export { resolveSystem, type ResolvedSystem } from './system/resolve.ts';
export {
  generate,
  until,
  untilDeliveries,
  untilQuiet,
  type Generator,
  type Plan,
  type PlanItem,
  type Trigger,
  type TypedInternal,
  type Wait,
  type WorkloadItem,
} from './system/workload.ts';
export { BadWorkers } from './workers/worker-pool.ts';
