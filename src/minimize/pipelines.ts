import { defaultPasses } from './passes.ts';

/** As far as the sequence of events allows without changing what anybody does. */
const provenance = ['provenance'];

/** One schedule for each set of externals, then one for each internal event left out; who is absent is passed over. */
const stssched = [...provenance, 'externals-by-halves:content:skip', 'internals-singly:content:skip'];

/** The same, but what is absent ends the schedule: nothing happens that did not happen before. */
const nodiverge = [...provenance, 'externals-by-halves:content:stop', 'internals-singly:content:stop'];

/**
 * Lists of passes by name: how DEMi is put together, column by column of its table, and how we are. Ours is the default.
 */
const pipelines: ReadonlyMap<string, readonly string[]> = new Map([
  ['provenance', provenance],
  ['stssched', stssched],
  ['nodiverge', nodiverge],
  ['tfb', [...stssched, 'tfb:type:skip']],
  ['ours', defaultPasses],
]);

/** The names that can be asked for in place of passes. */
export const pipelineNames: readonly string[] = [...pipelines.keys()];

/** Passes as they are, and those that a pipeline consists of. */
export const passesIn = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => pipelines.get(name.trim()) ?? [name]);
