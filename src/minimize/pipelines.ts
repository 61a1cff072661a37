import { defaultPasses } from './pass-registry.ts';

/** Without the events that are concurrent with the violation. */
const provenance = ['provenance'];

/** One schedule for each subsequence of externals, then for each of internal events; absent events are skipped. */
const stssched = [...provenance, 'externals-by-halves:content:skip', 'internals-by-halves:content:skip'];

/** The same, but a candidate is given up where an event does what it did not do in the original execution. */
const nodiverge = [...provenance, 'externals-by-halves:content:nodiverge', 'internals-by-halves:content:nodiverge'];

/**
 * What STSSched leaves is matched by type, with backtracks. The clusters are not in the paper but in the tool that was
 * published with it, which tries them before single events. That tool also lets a message that matches overtake those before
 * it on its link; here those are delivered first, so that no candidate does what the transport forbids.
 */
const tfb = [...stssched, 'clock-clusters:type:unblock', 'tfb:type:unblock'];

/**
 * Lists of passes by name: how DEMi is put together, column by column of its table, and how we are. Ours is the default.
 */
const pipelines: ReadonlyMap<string, readonly string[]> = new Map([
  ['provenance', provenance],
  ['stssched', stssched],
  ['nodiverge', nodiverge],
  ['tfb', tfb],
  ['ours', defaultPasses],
]);

/** The names that can be asked for in place of passes. */
export const pipelineNames: readonly string[] = [...pipelines.keys()];

/** Passes as they are, and those that a pipeline consists of. */
export const passesIn = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => pipelines.get(name.trim()) ?? [name]);
