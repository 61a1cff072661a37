import type { Parameter, System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';

/** A parameter of the trace whose default in the system differs now. */
export interface RecordedWith {
  readonly name: string;
  readonly recorded: Parameter;
  readonly byDefault: Parameter;
}

export const recordedWith = ({ header }: Trace, { parameters }: System): RecordedWith[] =>
  Object.entries(header.parameters).flatMap(([name, recorded]) => {
    const byDefault = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    return byDefault === undefined || byDefault === recorded ? [] : [{ name, recorded, byDefault }];
  });

/** A line for people; empty if all parameters have their defaults. */
export function recordedLine(differing: readonly RecordedWith[]): string[] {
  if (differing.length === 0) return [];
  const list = (of: (one: RecordedWith) => Parameter): string =>
    differing.map((one) => `${one.name}=${String(of(one))}`).join(', ');
  const now = differing.length === 1 ? 'the default is' : 'the defaults are';
  return [
    `recorded  with ${list(({ recorded }) => recorded)}; ${now} now ${list(({ byDefault }) => byDefault)}. Replay uses the recorded values`,
  ];
}

/** The options that set these parameters. */
export const settingsOf = (differing: readonly RecordedWith[]): string =>
  differing.map(({ name, recorded }) => ` --set ${name}=${String(recorded)}`).join('');
