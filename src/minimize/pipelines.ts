import { defaultPasses, type PassName } from './pass-registry.ts';

/** Drops the events that are concurrent with the violation. */
const provenance: readonly PassName[] = ['provenance'];

/** One schedule for each subsequence of externals, then for each of internal events; absent events are skipped. */
const stssched: readonly PassName[] = [
  ...provenance,
  'externals-by-halves:content:skip',
  'internals-by-halves:content:skip',
];

/** The same, but a candidate fails only if its events do nothing that they did not do in the original execution. */
const nodiverge: readonly PassName[] = [
  ...provenance,
  'externals-by-halves:content:nodiverge',
  'internals-by-halves:content:nodiverge',
];

/**
 * Matches the result of STSSched by type, with backtracks. The clusters are not in the paper but in the tool published
 * with it, which tries them before single events. That tool also lets a matching message overtake earlier ones on its
 * link; here the earlier ones are delivered first, so that no candidate does what the transport forbids.
 */
const tfb: readonly PassName[] = [...stssched, 'clock-clusters:type:unblock', 'tfb:type:unblock'];

/** The name of a pipeline. */
export type PipelineName = 'provenance' | 'stssched' | 'nodiverge' | 'tfb' | 'default';

/** Lists of passes by name: the columns of DEMi's table, and our own, which is the default. */
const pipelinesByName: Readonly<Record<PipelineName, readonly PassName[]>> = {
  provenance,
  stssched,
  nodiverge,
  tfb,
  default: defaultPasses,
};

const pipelines = new Map<string, readonly PassName[]>(Object.entries(pipelinesByName));

/** The names of all pipelines. */
export const pipelineNames = Object.keys(pipelinesByName) as readonly PipelineName[];

/** Replaces names of pipelines by their passes. Whether there are such passes is checked by `parsePass`. */
export const passesIn = (names: readonly string[]): readonly PassName[] =>
  names.flatMap((name) => pipelines.get(name.trim()) ?? [name as PassName]);
