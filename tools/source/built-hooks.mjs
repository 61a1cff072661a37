import { load as loadTypeScript } from './hooks.mjs';

/** The same as for sources, without the hook that resolves `culprit` to them. */
export const load = loadTypeScript;
