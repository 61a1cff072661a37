import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  engines: { node: string };
};

/** The version of this culprit, as its package says. */
export const version: string = manifest.version;

/** The oldest Node it runs on: `20.19`. */
export const oldestNode: string = manifest.engines.node.replace('>=', '');
