import { load as loadTypeScript } from './hooks.mjs';

/** The hooks for sources, without the one that resolves `culprit` to them. */
export const load = loadTypeScript;
