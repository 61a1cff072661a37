import type { Random } from 'culprit/kernel';
import { alternatives, type Schema } from './line-schema.ts';

/** Texts that could be mistaken for more than a text. */
const TEXTS = [
  '',
  ' ',
  'a',
  'environment',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  '\u0000',
  '\u001b[2J',
  'two\nlines',
  '\u202e',
  '\ud800',
  '</script><!--',
  '$map',
  '$same',
  '%c%s',
  '/',
  '~',
  'x'.repeat(300),
  '💥'.repeat(20),
];

const NUMBERS = [0, 1, 2, 3, 7, -1, 0.5, 1e9, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e300, -1e300];

export const anyText = (random: Random): string => random.pick(TEXTS);

/** A value of that schema; if the schema allows anything, plain data with marks, most of them valid. */
export function valueOf(schema: Schema, random: Random): unknown {
  const several = alternatives(schema);
  if (several !== undefined) return valueOf(random.pick(several), random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  switch (schema.type) {
    case 'string':
      return textOf(schema, random);
    case 'integer':
      return random.below(12);
    case 'number':
      return random.pick(NUMBERS);
    case 'boolean':
      return random.below(2) === 0;
    case 'null':
      return null;
    case 'array':
      return listOf(schema, random);
    case 'object':
      return objectOf(schema, random);
    default:
      return portable(random, 4);
  }
}

function textOf({ pattern }: Schema, random: Random): string {
  if (pattern === undefined) return anyText(random);
  const hex = Array.from({ length: 16 }, () => random.below(16).toString(16)).join('');
  return [hex, '1.3'].find((text) => new RegExp(pattern).test(text)) ?? anyText(random);
}

function listOf({ items = {} }: Schema, random: Random): unknown[] {
  if (Array.isArray(items)) return (items as readonly Schema[]).map((item) => valueOf(item, random));
  return Array.from({ length: random.below(4) }, () => valueOf(items as Schema, random));
}

function objectOf({ properties = {}, additionalProperties }: Schema, random: Random): Record<string, unknown> {
  const fields = Object.entries(properties).map(([name, field]): [string, unknown] => [name, valueOf(field, random)]);
  const more =
    typeof additionalProperties === 'object'
      ? Array.from({ length: random.below(3) }, (): [string, unknown] => [
          anyText(random),
          valueOf(additionalProperties, random),
        ])
      : [];
  return Object.fromEntries([...fields, ...more]);
}

/** Plain data in its file form. */
export function portable(random: Random, depth: number): unknown {
  const inner = (): unknown => portable(random, depth - 1);
  const some = <T>(make: () => T): T[] => Array.from({ length: random.below(4) }, make);
  switch (random.below(depth > 0 ? 18 : 8)) {
    case 0:
      return null;
    case 1:
    case 2:
      return anyText(random);
    case 3:
      return random.below(2) === 0;
    case 4:
      return { $undefined: true };
    case 5:
      return { $bigint: '-12' };
    case 6:
      return { $number: random.pick(['-0', 'NaN', 'Infinity', '7']) };
    case 7:
      return random.pick(NUMBERS);
    case 8:
      return { $map: some(() => [inner(), inner()]) };
    case 9:
      return { $set: some(inner) };
    case 10:
      return { $object: some(() => [anyText(random), inner()]) };
    case 11:
      return { $same: random.pick(['', '/a', '/0', '/$map/0/1', 'a', '/__proto__']) };
    case 12:
      return { type: anyText(random), f: inner(), value: inner() };
    case 13:
      return [{ $hole: true }, ...some(inner)];
    case 14:
      return { [random.pick(['$map', '$set', '$object', '$same', '$bigint', '$hole', '$nothing', '$x'])]: inner() };
    case 15:
      return some(inner);
    default:
      return Object.fromEntries(some(() => [random.pick(['a', 'b', 'type', 'n', ...TEXTS]), inner()]));
  }
}

/** Data of this depth, as text, because it may be too deep to serialize. */
export const deepText = (levels: number, random: Random): string =>
  random.below(2) === 0 ? '['.repeat(levels) + ']'.repeat(levels) : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
