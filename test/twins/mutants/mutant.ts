import { Random } from 'culprit/kernel';
import { lineSchemas, shapeOf, type Schema } from './line-schema.ts';
import { anyText, deepText, portable, valueOf } from './values.ts';

type Line = Record<string, unknown>;

/** A trace with one to three changes, determined by the seed. */
export function mutant(text: string, seed: number): string {
  const random = Random.seeded(seed, 0x6d7574);
  const lines = text.trimEnd().split('\n');
  const changes = 1 + random.below(3);
  for (let done = 0; done < changes; done++) random.pick(lineMutations)(lines, random);
  if (random.below(4) !== 0) renumber(lines);
  const whole = `${lines.join('\n')}\n`;
  return random.below(8) === 0 ? random.pick(textMutations)(whole, random) : whole;
}

/** Changes lines in place. */
type LineMutation = (lines: string[], random: Random) => void;

/** The first line is the header, the last one the verdict. */
const anyPlace = (lines: readonly string[], random: Random): number => random.below(lines.length);

function changed(change: (line: Line, schema: Schema | undefined, random: Random) => void): LineMutation {
  return (lines, random) => {
    const at = anyPlace(lines, random);
    const line = parsed(lines[at]);
    if (line === undefined) return;
    change(line, shapeOf(line), random);
    lines[at] = serialized(line) ?? (lines[at] as string);
  };
}

/** Undefined if an earlier change made the line too deep to be serialized: then it is odd enough. */
function serialized(line: Line): string | undefined {
  try {
    return JSON.stringify(line);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** Undefined if an earlier change left something that is no line. */
function parsed(text: string | undefined): Line | undefined {
  try {
    const line = JSON.parse(text ?? '') as unknown;
    return typeof line === 'object' && line !== null ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

/** Another value of the same type. */
const otherValue = changed((line, schema, random) => {
  const fields = Object.entries(schema?.properties ?? {}).filter(([, field]) => field.const === undefined);
  if (fields.length === 0) return;
  const [name, field] = random.pick(fields);
  line[name] = valueOf(field, random);
});

/** A value of any type. */
const otherType = changed((line, _schema, random) => {
  line[random.pick(Object.keys(line))] = portable(random, 3);
});

const dropField = changed((line, _schema, random) => {
  delete line[random.pick(Object.keys(line))];
});

const otherCause = changed((line, _schema, random) => {
  if ('cause' in line) line['cause'] = random.below(14);
});

/** Moves the cause to an earlier event, if the event has a number: the reader accepts that. */
const earlierCause = changed((line, _schema, random) => {
  if (typeof line['event'] === 'number') line['cause'] = random.below(Math.max(1, line['event']));
});

const doubleField: LineMutation = (lines, random) => {
  const at = anyPlace(lines, random);
  const line = parsed(lines[at]);
  if (line === undefined) return;
  const name = random.pick(Object.keys(line));
  lines[at] = `{${JSON.stringify(name)}:${JSON.stringify(portable(random, 2))},${JSON.stringify(line).slice(1)}`;
};

/** A line of any shape. */
const newLine: LineMutation = (lines, random) => {
  const at = anyPlace(lines, random);
  lines.splice(at, random.below(2), JSON.stringify(valueOf(random.pick(lineSchemas), random)));
};

/** Replaces the event at a place by one of another kind, with its number and cause. */
const otherKind: LineMutation = (lines, random) => {
  const at = anyPlace(lines, random);
  const line = parsed(lines[at]);
  if (line?.['event'] === undefined) return;
  const events = lineSchemas.filter(({ properties = {} }) => 'event' in properties && 'kind' in properties);
  const made = valueOf(random.pick(events), random) as Line;
  lines[at] = JSON.stringify({ ...made, event: line['event'], cause: line['cause'], process: line['process'] });
};

const dropLine: LineMutation = (lines, random) => void lines.splice(anyPlace(lines, random), 1);

const doubleLine: LineMutation = (lines, random) => {
  const at = anyPlace(lines, random);
  lines.splice(anyPlace(lines, random), 0, lines[at] as string);
};

const swapLines: LineMutation = (lines, random) => {
  const [one, other] = [anyPlace(lines, random), anyPlace(lines, random)];
  [lines[one], lines[other]] = [lines[other] as string, lines[one] as string];
};

const deep: LineMutation = (lines, random) => {
  const at = anyPlace(lines, random);
  const line = parsed(lines[at]);
  if (line === undefined) return;
  const name = random.pick(['message', 'changes', 'args', 'payload', 'output', ...Object.keys(line)]);
  const text = JSON.stringify({ ...line, [name]: '@DEEP@' });
  lines[at] = text.replace('"@DEEP@"', deepText(random.pick([50, 99, 120, 500, 5_000]), random));
};

/** Renames a process everywhere. */
const rename: LineMutation = (lines, random) => {
  const names = new Set(lines.map((text) => parsed(text)?.['process']).filter((name) => typeof name === 'string'));
  if (names.size === 0) return;
  const [name, other] = [JSON.stringify(random.pick([...names])), JSON.stringify(anyText(random))];
  for (const [at, text] of lines.entries()) lines[at] = text.replaceAll(name, () => other);
};

const lineMutations: readonly LineMutation[] = [
  otherValue,
  otherValue,
  otherValue,
  otherType,
  dropField,
  doubleField,
  otherCause,
  earlierCause,
  newLine,
  otherKind,
  otherKind,
  dropLine,
  doubleLine,
  swapLines,
  deep,
  rename,
];

/** Renumbers the events and corrects the header, so that the reader accepts more mutants. */
function renumber(lines: string[]): void {
  let events = 0;
  for (const [at, text] of lines.entries()) {
    const line = parsed(text);
    if (line === undefined || !('event' in line)) continue;
    events += 1;
    line['event'] = events;
    if (typeof line['cause'] === 'number' && line['cause'] >= events) line['cause'] = events - 1;
    if (!isDeep(text)) lines[at] = JSON.stringify(line);
  }
  const [first = ''] = lines;
  const header = parsed(first);
  if (header !== undefined && 'events' in header && !isDeep(first)) lines[0] = JSON.stringify({ ...header, events });
}

/** Whether it is nested so deeply that writing it again would overflow the stack. */
const isDeep = (text: string): boolean => text.includes('[[[[') || text.includes('{"a":{"a":{"a":');

type TextMutation = (text: string, random: Random) => string;

const cut: TextMutation = (text, random) => text.slice(0, random.below(text.length));

const inject: TextMutation = (text, random) => {
  const at = random.below(text.length);
  return text.slice(0, at) + String.fromCharCode(random.below(0x20)) + text.slice(at + random.below(3));
};

const replaceCharacter: TextMutation = (text, random) => {
  const at = random.below(text.length);
  return text.slice(0, at) + random.pick('{}[]",:0198eE-\\$nul'.split('')) + text.slice(at + 1);
};

const textMutations: readonly TextMutation[] = [cut, inject, replaceCharacter];
