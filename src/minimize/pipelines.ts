import { defaultPasses } from './pass-registry.ts';

/** Drops the events that are concurrent with the violation. */
const provenance = ['provenance'];

/** One schedule for each subsequence of externals, then for each of internal events; absent events are skipped. */
const stssched = [...provenance, 'externals-by-halves:content:skip', 'internals-by-halves:content:skip'];

/** The same, but a candidate fails only if its events do nothing that they did not do in the original execution. */
const nodiverge = [...provenance, 'externals-by-halves:content:nodiverge', 'internals-by-halves:content:nodiverge'];

/**
 * Matches the result of STSSched by type, with backtracks. The clusters are not in the paper but in the tool published
 * with it, which tries them before single events. That tool also lets a matching message overtake earlier ones on its
 * link; here the earlier ones are delivered first, so that no candidate does what the transport forbids.
 */
const tfb = [...stssched, 'clock-clusters:type:unblock', 'tfb:type:unblock'];

/** Lists of passes by name: the columns of DEMi's table, and our own, which is the default. */
const pipelines: ReadonlyMap<string, readonly string[]> = new Map([
  ['provenance', provenance],
  ['stssched', stssched],
  ['nodiverge', nodiverge],
  ['tfb', tfb],
  ['default', defaultPasses],
]);

/** The names of all pipelines. */
export const pipelineNames: readonly string[] = [...pipelines.keys()];

/** Replaces names of pipelines by their passes. */
export const passesIn = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => pipelines.get(name.trim()) ?? [name]);
