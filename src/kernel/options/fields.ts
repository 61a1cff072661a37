import * as v from 'valibot';
import type { CulpritError } from '../../error.ts';
import { shownAnswer } from '../user-code/answer.ts';
import { nearest } from '../../text/did-you-mean.ts';

/** An object that a user passes: the options of a function, or the definition of a system. */
export interface About {
  /** The name of the receiver: `hunt`, `the system`. */
  readonly who: string;
  /** The word for one of its fields: `option`. */
  readonly noun: string;
  /** The error about it. */
  readonly error: new (problem: string, next: string) => CulpritError;
}

/** The rule for a field. Its message completes a sentence: `executions is a whole number, 1 or more, not "ten"`. */
export type Field = v.GenericSchema;

/** One for each field of the type: one that is forgotten here does not compile. */
export type FieldsOf<T> = { readonly [K in keyof Required<T>]: Field };

/** A field of which a function says whether a value fits. */
export const field = (is: string, fits: (value: unknown) => boolean): Field => v.custom<unknown>(fits, is);

export const text: Field = field('a text', (value) => typeof value === 'string');
export const flag: Field = field('true or false', (value) => typeof value === 'boolean');
export const callback: Field = field('a function', (value) => typeof value === 'function');

/** A whole number, at least this one. */
export const count = (least: number): Field =>
  field(`a whole number, ${least} or more`, (value) => Number.isSafeInteger(value) && (value as number) >= least);

/** The same, or infinity for no limit. */
export const countOrEndless = (least: number): Field =>
  field(
    `a whole number, ${least} or more`,
    (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && (value as number) >= least),
  );

/** More than nothing; endless will do. */
export const amount: Field = field('a number above 0', (value) => typeof value === 'number' && value > 0);

/** Neither impossible nor certain. */
export const chance: Field = field(
  'a number between 0 and 1',
  (value) => typeof value === 'number' && value > 0 && value < 1,
);

export const notNegative: Field = field('a number, 0 or more', (value) => typeof value === 'number' && value >= 0);

/** One of these names. */
export const oneOf = (names: readonly string[]): Field =>
  field(`one of ${names.join(', ')}`, (value) => typeof value === 'string' && names.includes(value));

export const list = (is: string, item: Field): Field => v.array(item, is);

/** Values by names that the user makes up. */
export const byName = (is: string, value: Field): Field =>
  either((given) =>
    typeof given === 'object' && given !== null && !Array.isArray(given)
      ? v.record(v.string(), value)
      : field(is, () => false),
  );

/** Values that are looked at elsewhere. */
export const anything: Field = v.unknown();

/** Allows a value that either rule allows. */
export const either = (choose: (given: unknown) => Field): Field => v.lazy(choose);

/** A whole number, 1 or more, or `auto`. */
export const countOrAuto: Field = either((given) =>
  typeof given === 'number' ? count(1) : field("a whole number, 1 or more, or 'auto'", (value) => value === 'auto'),
);

/** An object with these fields and no others; only those that are `needed` must be there. */
export const object = <T>(is: string, fields: FieldsOf<T>, needed: readonly (keyof T & string)[] = []): Field =>
  v.strictObject(
    Object.fromEntries(
      Object.entries<Field>(fields).map(([name, of]) => [name, needed.includes(name as never) ? of : v.optional(of)]),
    ),
    is,
  );

/** Returns the given fields without undefined ones. Throws one sentence about the first problem. */
export function checked<T extends object>(given: T, schema: Field, about: About): T {
  const { issues } = v.safeParse(schema, given);
  const wrong = issues?.find(isUnknown) ?? issues?.[0];
  if (wrong !== undefined) throw new about.error(...sentence(wrong, schema, given, about));
  return withoutUndefined(given);
}

/** An option that is undefined has its default. */
export const withoutUndefined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;

type Issue = v.BaseIssue<unknown>;

const isUnknown = ({ type, expected }: Issue): boolean => type === 'strict_object' && expected === 'never';

function sentence(issue: Issue, schema: Field, given: unknown, about: About): [problem: string, next: string] {
  const keys = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  const path = pathOf(keys);
  if (isUnknown(issue)) return unknownKey(keys, schema, given, about);
  if (path === '')
    return [`${about.who} takes ${issue.message}, not ${shownAnswer(given)}.`, `Give it ${issue.message}.`];
  const is = messageOf(fieldAt(schema, given, keys)) ?? issue.message;
  if (issue.type === 'strict_object' && issue.expected !== 'Object')
    return [`${about.who} has no ${path}.`, `Give it: ${path} is ${is}.`];
  return [`${path} is ${is}, not ${shownAnswer(issue.input)}.`, `Change the ${about.noun} ${path} of ${about.who}.`];
}

type Keys = readonly (string | number)[];

/** As it would be written in code: `triggers[0].before`. */
const pathOf = (keys: Keys): string =>
  keys.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${key}`)).join('');

function unknownKey(keys: Keys, schema: Field, given: unknown, about: About): [string, string] {
  const before = keys.slice(0, -1);
  const known = Object.keys(fieldAt(schema, given, before).entries ?? {});
  const near = nearest(String(keys.at(-1)), known);
  const guess = near === undefined ? '.' : `: did you mean ${pathOf([...before, near])}?`;
  const who = before.length === 0 ? about.who : pathOf(before);
  return [`${about.who} has no ${about.noun} ${pathOf(keys)}${guess}`, `${who} takes ${known.join(', ')}.`];
}

/** The parts of a schema that are looked into. */
interface Parts {
  readonly type: string;
  readonly message?: unknown;
  readonly entries?: Readonly<Record<string, Field>>;
  readonly wrapped?: Field;
  readonly value?: Field;
  readonly item?: Field;
  readonly getter?: (given: unknown) => Field;
}

const messageOf = ({ message }: Parts): string | undefined => (typeof message === 'string' ? message : undefined);

/** The field that these keys lead to. */
function fieldAt(schema: Field, given: unknown, keys: Keys): Parts {
  const parts = schema as unknown as Parts;
  if (parts.wrapped !== undefined) return fieldAt(parts.wrapped, given, keys);
  if (parts.getter !== undefined) return fieldAt(parts.getter(given), given, keys);
  const [key, ...rest] = keys;
  if (key === undefined) return parts;
  const inner = parts.entries?.[key] ?? parts.value ?? parts.item;
  return inner === undefined ? parts : fieldAt(inner, (given as Readonly<Record<string, unknown>>)[key], rest);
}
