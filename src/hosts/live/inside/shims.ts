import { delimiter } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../../files/package-file.ts';
import type { InsideSettings, ShimName } from './inside-options.ts';

/** The variable that has the path of the socket. */
const SYNC = 'CULPRIT_SYNC';

/** The variable that says what a shim replaces. */
const WANTED = 'CULPRIT_INSIDE';

const PYTHON = packageFile('src/hosts/live/inside/shims/python');
/** As it is built: Node 20 cannot run TypeScript by itself. */
const NODE = pathToFileURL(packageFile('dist/hosts/live/inside/shims/node.js')).href;

type Environment = Readonly<Record<string, string>>;

/** The variables that make an interpreter load a shim, beside those that it has. */
const loading: Readonly<Record<ShimName, (env: Environment) => Environment>> = {
  python: ({ PYTHONPATH: others }) => ({
    PYTHONPATH: [PYTHON, ...(others === undefined ? [] : [others])].join(delimiter),
    // Sets of texts have the same order in every execution.
    PYTHONHASHSEED: '0',
  }),
  node: ({ NODE_OPTIONS: others }) => ({
    NODE_OPTIONS: [...(others === undefined ? [] : [others]), `--import=${NODE}`].join(' '),
  }),
};

/** The environment of a program that speaks with culprit. `isOutTaken`: what it prints to its standard output are messages. */
export function insideEnvironment(
  env: Environment,
  path: string,
  { shim, logs, ...settings }: InsideSettings,
  isOutTaken: boolean,
): Environment {
  const shimmed = shim === undefined ? {} : loading[shim](env);
  const names = (['time', 'random', 'timers', 'sockets', 'checkpoints'] as const).filter((name) => settings[name]);
  const wanted = [...names, ...(logs === false ? [] : [logs]), ...(isOutTaken ? ['out-taken'] : [])];
  return { ...env, ...shimmed, [SYNC]: path, [WANTED]: wanted.join(',') };
}
