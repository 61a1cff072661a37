export { align, type AlignedRow, type Alignment } from './alignment.ts';
export { Causality } from './causality.ts';
export { relevanceOf } from './relevance.ts';
export type { Digest } from './digest.ts';
export { digestText, hex, parseHex, sameDigest } from './digest.ts';
export type {
  Complete,
  Deliver,
  Event,
  EventKind,
  External,
  ExternalEvent,
  Fire,
  Internal,
  Link,
  Occurrence,
  OperationKind,
  Return,
  Spawn,
} from './event.ts';
export { ENVIRONMENT, externalOf, isInternal } from './event.ts';
export { NotPlainData } from './plain-data.ts';
export { fromPortable, toPortable } from './json-encoding.ts';
export { wordsIn, type Holds, type Unknown, type Verdict, type Violated } from './verdict.ts';
export { BadTrace, readTrace, writeTrace } from './file.ts';
export { lineSchema } from './format.ts';
export type { EventLine, Header, PendingLine, Trace, VerdictLine } from './format.ts';
export { contentOf, eventOf } from './codec.ts';
export { applyChanges, changesBetween, NOTHING, type Change } from './change.ts';
export type { ProcessPort, DrawnStation, ProcessTopology, ProcessLink } from './topology.ts';
export type {
  Branch,
  BranchChoice,
  BranchProblem,
  EventSentence,
  Exhibit,
  Live,
  Reason,
  ShownExecution,
} from './view-model.ts';
export type { Counterfactual, Odds, Sampling, Why } from './why.ts';
export { printable, printableLines } from '../text/printable.ts';
