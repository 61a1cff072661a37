import { fromPortable, toPortable, type Change } from 'culprit/trace';

/** A line of shown data: indented, with a name if it has one, and a value if it fits. */
export interface WrittenLine {
  readonly depth: number;
  readonly name: string;
  readonly text: string;
  readonly isChanged: boolean;
  /** The value before, if it is known and fits. */
  readonly before?: string;
  /** For data with parts: where it is, and whether they are shown below. */
  readonly branch?: { readonly pointer: string; readonly isOpen: boolean };
}

/** Longer values take more than one line. */
const INLINE_MAX = 44;
/** Longer texts are cut: the panel has no room for them. */
const TEXT_MAX = 2_000;
/** Further lines are not shown. */
const LINES_MAX = 200;

/** Deeper data that takes more than one line is closed, unless it changed. */
const OPEN_DEPTH = 3;

/** Portable data as a tree, line by line: opened as far as the changes require, except where the reader has decided otherwise. */
export function written(
  portable: unknown,
  changes: readonly Change[] = [],
  turned: ReadonlySet<string> = new Set(),
): WrittenLine[] {
  const lines: WrittenLine[] = [];
  write({ name: '', pointer: '', value: readable(portable), depth: 0 }, changes, turned, lines);
  return lines.length <= LINES_MAX
    ? lines
    : [
        ...lines.slice(0, LINES_MAX),
        { depth: 0, name: '', text: `… ${lines.length - LINES_MAX} more lines`, isChanged: false },
      ];
}

interface Node {
  readonly name: string;
  readonly pointer: string;
  readonly value: unknown;
  readonly depth: number;
}

function write(node: Node, changes: readonly Change[], turned: ReadonlySet<string>, into: WrittenLine[]): void {
  const { name, pointer, value, depth } = node;
  const parts = partsOf(value);
  const own = changes.find(([changed]) => changed === pointer && changed !== '');
  const below = changes.filter(([changed]) => changed.startsWith(`${pointer}/`));
  const text = compact(value);
  const isLong = text.length > INLINE_MAX;
  const opensItself = below.length > 0 || pointer === '' || (isLong && depth < OPEN_DEPTH);
  const isOpen = parts.length > 0 && opensItself !== turned.has(pointer);
  const canTurn = parts.length > 0 && pointer !== '';
  const line = {
    depth,
    name,
    isChanged: own !== undefined,
    ...wasBefore(own),
    ...(canTurn ? { branch: { pointer, isOpen } } : {}),
  };
  if (!isOpen) {
    const short = canTurn && isLong ? sizeOf(value, parts.length) : text;
    into.push({ ...line, text: short.length <= TEXT_MAX ? short : `${short.slice(0, TEXT_MAX)}…` });
    return;
  }
  if (pointer !== '') into.push({ ...line, text: '' });
  const inner = pointer === '' ? depth : depth + 1;
  for (const part of parts)
    write({ ...part, pointer: `${pointer}/${part.pointer}`, depth: inner }, below, turned, into);
  into.push(...below.flatMap((change) => gone(change, pointer, parts, inner)));
}

/** Stands for data that is closed. */
const sizeOf = (value: unknown, parts: number): string =>
  Array.isArray(value) ? `[${parts} items]` : `{${parts} fields}`;

/** Adds lines for removed parts, which are no longer in the data. */
function gone([changed, before]: Change, pointer: string, parts: readonly Part[], depth: number): WrittenLine[] {
  const token = changed.slice(pointer.length + 1);
  if (token.includes('/') || parts.some((part) => part.pointer === token)) return [];
  return [
    {
      depth,
      name: plain(token),
      text: '',
      isChanged: true,
      before: compact(readable(before)).slice(0, INLINE_MAX),
    },
  ];
}

function wasBefore(change: Change | undefined): { readonly before?: string } {
  if (change === undefined) return {};
  const [, before] = change;
  const isNew = typeof before === 'object' && before !== null && '$nothing' in before;
  const text = isNew ? 'new' : compact(readable(before));
  return { before: text.length <= INLINE_MAX ? text : `${text.slice(0, INLINE_MAX)}…` };
}

interface Part {
  readonly name: string;
  /** One pointer step, escaped. */
  readonly pointer: string;
  readonly value: unknown;
}

function partsOf(value: unknown): Part[] {
  if (Array.isArray(value))
    return value.map((inner, at) => ({ name: String(at), pointer: String(at), value: inner as unknown }));
  if (value instanceof Map) {
    return [...(value as Map<unknown, unknown>)].map(([key, inner]) => ({
      name: compact(key),
      pointer: escaped(JSON.stringify(toPortable(key, 'a key'))),
      value: inner,
    }));
  }
  if (typeof value !== 'object' || value === null || value instanceof Set || value instanceof Elsewhere) return [];
  return Object.entries(value).map(([name, inner]) => ({ name, pointer: escaped(name), value: inner as unknown }));
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const plain = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~').replaceAll('"', '');

/** An object that is written elsewhere, as a pointer to that place. */
class Elsewhere {
  constructor(readonly pointer: string) {}
}

const readable = (portable: unknown): unknown => fromPortable(portable, (pointer) => new Elsewhere(pointer));

/** Portable data on one line, as people write it. */
export const onOneLine = (portable: unknown): string => compact(readable(portable));

/** Data on one line, as people write it; ambiguous texts are in quotes. */
function compact(value: unknown): string {
  if (typeof value === 'string') return /^[A-Za-z][\w .:/-]*$/.test(value) ? value : JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Elsewhere) return `= ${plain(value.pointer.slice(1).replaceAll('/', '.')) || 'itself'}`;
  if (Array.isArray(value)) return `[${Array.from(value, compact).join(', ')}]`;
  if (value instanceof Set) return `{${[...value].map(compact).join(', ')}}`;
  if (value instanceof Map) {
    return `{${[...(value as Map<unknown, unknown>)].map(([key, inner]) => `${compact(key)} → ${compact(inner)}`).join(', ')}}`;
  }
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}: ${compact(inner)}`)
    .join(', ')}}`;
}
