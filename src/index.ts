export { check } from './check/check.ts';
export type { CheckFinding, CheckProgress, CheckReport, Weighed, RefutedRule, Within } from './check/report.ts';
export type { CheckOptions } from './check/options.ts';
export { CheckEnded } from './check/check-ended.ts';
export { BadCheckpoint, type SavedCheck } from './check/checkpoint.ts';
export type { CheckResult, ExecuteElsewhere } from './doctor/check.ts';
export type { Leak } from './determinism/diagnose.ts';
export { doctor, type DoctorOptions } from './doctor/doctor.ts';
export { CulpritError } from './error.ts';
export { exhibitOf, type Named } from './view/view-model.ts';
export { exportTrace, type ExportFormat } from './export/export-trace.ts';
export { diffLines, type DiffOptions } from './explain/diff-lines.ts';
export { explainLines, type ExplainOptions, type Paint, type Role } from './explain/story-report.ts';
export { BadPhrase, inWords } from './execution/wording.ts';
export { explainWhy, NothingToExplain } from './explain/why/explain-why.ts';
export type { ExplainWhyOptions, ExplainWhyProgress } from './explain/why/options.ts';
export { storyLines } from './explain/table.ts';
export { stepAlong } from './step/step-along.ts';
export { stepsOf, type StoryStep } from './explain/steps.ts';
export { tell, type Sentence } from './explain/story.ts';
export { whyLines, type WhyOptions } from './explain/why/why-lines.ts';
export type { Candidate, Chooser } from './schedule/choosers/chooser.ts';
export type { CoverageReport } from './coverage/coverage.ts';
export { WorkloadDriver } from './schedule/workload-driver.ts';
export { RandomChooser } from './schedule/choosers/random.ts';
export { ReplayThen } from './schedule/replay/replay-then.ts';
export { BadStrategy, strategyCalled, strategyNames, type StrategyOptions } from './schedule/strategies.ts';
export { policyNames, type Policy } from './check/reduce/policies.ts';
export { ReplayDiverged, ReplayStrategy } from './schedule/replay/exact-replay.ts';
export { hunt, Undecided, type HuntOptions } from './hunt/hunt.ts';
export type {
  Behavior,
  ClientNotes,
  ClientOperation,
  Context,
  Disk,
  Effect,
  Faults,
  Invariant,
  Judgment,
  Oracle,
  Phrases,
  ProcessView,
  ReductionRules,
  RunningProcess,
  Sampled,
  Timing,
  Touches,
  Transport,
  Weights,
  Witness,
  World,
} from './kernel.ts';
export {
  act,
  crash,
  cut,
  cutOneWay,
  generate,
  heal,
  healOneWay,
  restart,
  send,
  start,
  stop,
  until,
  untilDeliveries,
  untilQuiet,
} from './kernel.ts';
export { BadHistory } from './oracles/linearizability/bad-history.ts';
export type { Budget } from './oracles/linearizability/budget.ts';
export { readHistory } from './oracles/linearizability/history-file.ts';
export { checkLinearizable, type Linearizability } from './oracles/linearizability/linearizability.ts';
export type { Model, Step } from './oracles/linearizability/model.ts';
export { models } from './oracles/linearizability/models.ts';
export type { Operation } from './oracles/linearizability/operation.ts';
export { linearizabilityVerdict } from './oracles/linearizability/verdict.ts';
export type { NotLinearizable } from './oracles/linearizability/violation.ts';
export type { Call, Vocabulary } from './oracles/linearizability/vocabulary.ts';
export { allOf } from './oracles/all-of.ts';
export { linearizable } from './oracles/linearizability/linearizable.ts';
export { InvariantThrew, invariantOracle, noUncaughtException } from './oracles/invariants.ts';
export { progress, type ProgressOptions } from './oracles/progress.ts';
export { minimize, NothingToMinimize } from './minimize/minimize.ts';
export type { MinimizeOptions } from './minimize/options.ts';
export type { Certificate, Minimized, MinimizeProgress, Stage } from './minimize/report.ts';
export { BadPass, passNames } from './minimize/pass-registry.ts';
export { pipelineNames } from './minimize/pipelines.ts';
export type { Reproduction } from './minimize/flaky.ts';
export { NotDeterministic } from './determinism/not-deterministic.ts';
export { BadOption } from './kernel/options/options.ts';
export { search } from './hunt/search.ts';
export type { SearchOptions } from './hunt/options.ts';
export type { Finding, SearchProgress, SearchReport } from './hunt/report.ts';
export { SearchEnded } from './hunt/search-ended.ts';
export { ViolationFound } from './hunt/violation-found.ts';
export { BadWorkers } from './workers/worker-pool.ts';
export {
  recheck,
  type Deviation,
  type Diverged,
  type Fixed,
  type Recheck,
  type RecheckOptions,
  type Reproduced,
} from './replay/recheck.ts';
export type { Tried } from './replay/neighborhood.ts';
export { replay, type ReplayOptions } from './replay/replay.ts';
export { BadParameter, resolveSystem } from './system/resolve.ts';
export { BadSystem } from './system/check-definition.ts';
export type { ResolvedSystem } from './system/resolve.ts';
export { behavior, defineSystem } from './system/define-system.ts';
export type { Definition, MinimizeHints, Parameter, Parameters, System } from './system/definition.ts';
export { actors } from './hosts/actor/target.ts';
export { NoViewer, viewerPage } from './view/page.ts';
export { searchNames, type SearchName } from './check/searches.ts';
