export {
  check,
  type CheckFinding,
  type CheckOptions,
  type CheckProgress,
  type CheckReport,
  type Weighed,
  type RefutedRule,
  type Within,
} from './check.ts';
export { CheckEnded } from './check-ended.ts';
export { BadCheckpoint, type SavedCheck } from './checkpoint.ts';
export type { CheckResult, ExecuteElsewhere } from './doctor/check.ts';
export type { Leak } from './doctor/diagnose.ts';
export { doctor, type DoctorOptions } from './doctor.ts';
export { CulpritError } from './error.ts';
export { exhibitOf, type Named } from './view/exhibit.ts';
export { exportTrace, type ExportFormat } from './export-trace.ts';
export { diffLines, type DiffOptions } from './explain/diffed.ts';
export { explainLines, type ExplainOptions, type Paint, type Role } from './explain/explained.ts';
export { BadPhrase, inWords } from './explain/wording.ts';
export { explainWhy, NothingToExplain, type ExplainWhyOptions, type ExplainWhyProgress } from './why/explain-why.ts';
export { storyLines } from './explain/table.ts';
export { stepAlong } from './step/step-along.ts';
export { stepsOf, type StoryStep } from './explain/steps.ts';
export { tell, type Sentence } from './explain/story.ts';
export { whyLines, type WhyOptions } from './explain/why-lines.ts';
export type { Candidate, Chooser } from './explore/chooser.ts';
export type { CoverageReport } from './explore/coverage.ts';
export { Injecting } from './explore/injecting.ts';
export { RandomChooser } from './explore/random.ts';
export { ReplayThen } from './explore/replay-then.ts';
export { BadStrategy, strategyCalled, strategyNames, type StrategyOptions } from './explore/strategies.ts';
export { policyNames, type Policy } from './policies.ts';
export { ReplayDiverged, ReplayStrategy } from './explore/replay.ts';
export { hunt, Undecided, type HuntOptions } from './hunt.ts';
export type {
  Behaviour,
  ClientNotes,
  ClientOperation,
  Context,
  Disk,
  Effect,
  Faults,
  Invariant,
  Judgement,
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
} from './kernel/index.ts';
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
} from './kernel/index.ts';
export { BadHistory } from './oracle/history/bad-history.ts';
export type { Budget } from './oracle/history/budget.ts';
export { readHistory } from './oracle/history/history-file.ts';
export { checkLinearizable, type Linearizability } from './oracle/history/linearizability.ts';
export type { Model, Step } from './oracle/history/model.ts';
export { models } from './oracle/history/models.ts';
export type { Operation } from './oracle/history/operation.ts';
export { linearizabilityVerdict } from './oracle/history/verdict.ts';
export type { NotLinearizable } from './oracle/history/violation.ts';
export type { Call, Vocabulary } from './oracle/history/vocabulary.ts';
export { allOf } from './oracle/all-of.ts';
export { linearizable } from './oracle/history/linearizable.ts';
export { InvariantThrew, invariantOracle, noUncaughtException } from './oracle/invariants.ts';
export { progress, type ProgressOptions } from './oracle/progress.ts';
export {
  minimize,
  NothingToMinimize,
  type Certificate,
  type Minimized,
  type MinimizeOptions,
  type MinimizeProgress,
  type Stage,
} from './minimize.ts';
export { BadPass, passNames } from './minimize/passes.ts';
export { pipelineNames } from './minimize/pipelines.ts';
export type { Reproduction } from './minimize/repeats.ts';
export { NotDeterministic } from './not-deterministic.ts';
export { BadOption } from './kernel/options.ts';
export { search, type Finding, type SearchOptions, type SearchProgress, type SearchReport } from './search.ts';
export { SearchEnded } from './search-ended.ts';
export { ViolationFound } from './violation-found.ts';
export { BadWorkers } from './workers.ts';
export {
  recheck,
  type Deviation,
  type Diverged,
  type Fixed,
  type Recheck,
  type RecheckOptions,
  type Reproduced,
} from './recheck.ts';
export type { Tried } from './neighbourhood.ts';
export { replay, type ReplayOptions } from './replay.ts';
export { BadParameter, resolveSystem } from './targets/actors/resolve.ts';
export { BadSystem } from './targets/actors/well-defined.ts';
export type { ResolvedSystem } from './targets/actors/resolve.ts';
export { behaviour, defineSystem } from './targets/actors/system.ts';
export type { Definition, MinimizeHints, Parameter, Parameters, System } from './targets/actors/system.ts';
export { actors } from './targets/actors/target.ts';
export { NoViewer, viewerPage } from './view/page.ts';
export { searchNames, type SearchName } from './searches.ts';
