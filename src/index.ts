/** The entry for users: define systems; hunt, check, minimize, replay and judge them. */
export { check } from './check/check.ts';
export type { CheckOptions } from './check/options.ts';
export { NotDeterministic } from './determinism/not-deterministic.ts';
export { doctor } from './doctor/doctor.ts';
export { CulpritError } from './error.ts';
export { explainWhy } from './explain/why/explain-why.ts';
export { fromClass } from './hosts/opaque/from-class.ts';
export type { Io } from './hosts/opaque/io.ts';
export { hunt, Undecided, type HuntOptions } from './hunt/hunt.ts';
export { search } from './hunt/search.ts';
export { ViolationFound } from './hunt/violation-found.ts';
export type { Behavior, Context } from './kernel/behavior.ts';
export type { Oracle } from './kernel/ports.ts';
export type { ProcessView, RunningProcess, World } from './kernel/world.ts';
export { minimize } from './minimize/minimize.ts';
export { readHistory } from './oracles/linearizability/history-file.ts';
export { checkLinearizable } from './oracles/linearizability/linearizability.ts';
export { linearizable } from './oracles/linearizability/linearizable.ts';
export type { Model } from './oracles/linearizability/model.ts';
export { models } from './oracles/linearizability/models.ts';
export { progress } from './oracles/progress.ts';
export { recheck } from './replay/recheck.ts';
export { replay } from './replay/replay.ts';
export { delay, lose } from './system/arrival-fault.ts';
export { behavior, defineSystem } from './system/define-system.ts';
export type { Parameter, System } from './system/definition.ts';
export {
  act,
  crash,
  cut,
  cutOneWay,
  heal,
  healOneWay,
  pause,
  restart,
  resume,
  send,
  start,
  stop,
} from './system/externals.ts';
export type { Invariant, Judgment } from './system/invariant.ts';
export type { Phrases } from './system/phrases.ts';
export type { Effect, ReductionRules } from './system/reduction-rules.ts';
export { BadParameter } from './system/resolve.ts';
export { generate, until, untilDeliveries, untilQuiet } from './system/workload.ts';
