import { InvalidArgumentError } from 'commander';
import { weighedKinds, whyBadWeights, type Weights } from '../kernel/options/weights.ts';
import { JOBS_MAX } from '../workers/start-sessions.ts';

/** Collects `--set name=value`, given any number of times. */
export function collectSetting(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=');
  if (at <= 0) throw new InvalidArgumentError('Use name=value, such as --set nodes=5.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Collects `--weight kind=number`, given any number of times. */
export function collectWeight(text: string, before: Weights | undefined): Weights {
  const [, kind = '', number = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  const weight = { [kind]: number.trim() === '' ? Number.NaN : Number(number) };
  if (whyBadWeights(weight) === undefined) return { ...before, ...weight };
  throw new InvalidArgumentError(
    `Use kind=number, such as --weight deliver=5: one of ${weighedKinds.join(', ')}, and 0 or more.`,
  );
}

/** A whole number with a minimum. It is checked here, where the name of the flag is known. */
export const atLeast =
  (least: number, orElse = '') =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`Use a whole number, ${least} or more${orElse}.`);
  };

const PORT_MAX = 65_535;

export function portNumber(text: string): number {
  const port = atLeast(1)(text);
  if (port <= PORT_MAX) return port;
  throw new InvalidArgumentError(`Use a whole number from 1 to ${PORT_MAX}.`);
}

/** The help of `--jobs`. */
export const JOBS_HELP = `executions at a time, of a system whose processes act by themselves (auto: twice the number of processors, at most ${JOBS_MAX})`;

/** The help of `--workers`, for work that may be short. */
export const workersHelp = (work: string): string =>
  `worker threads; auto: one per processor, once the ${work} has run for a second`;

/** A number of threads or jobs, or `auto`. */
export const countOrAuto = (text: string): number | 'auto' => (text === 'auto' ? text : atLeast(1, ', or auto')(text));
