import { DEPTH_MAX } from './plain-data.ts';

/** An error in portable data: its path, such as `jobs.0`, and what is wrong there. */
export interface Flaw {
  readonly path: string;
  readonly what: string;
}

/**
 * The first error, that is, data that `toPortable` never writes: a mark with wrong contents, a mark among other fields,
 * or data that is nested too deep. Undefined if `fromPortable` can read it.
 */
export const portableFlaw = (portable: unknown): Flaw | undefined => new Inspection(portable).flawIn(portable, '', 0);

/**
 * The same for one side of a change, which is a part of a state: it may be the mark for no value, or for a hole in a
 * list.
 */
export function changedFlaw(portable: unknown, levels: number): Flaw | undefined {
  const keys = typeof portable === 'object' && portable !== null ? Object.keys(portable) : [];
  const isAlone = keys.length === 1 && (keys[0] === '$nothing' || keys[0] === '$hole');
  if (isAlone)
    return isTrue(Object.values(portable as object)[0]) ? undefined : { path: '', what: `${keys[0]} is not true` };
  return new Inspection(undefined).flawIn(portable, '', levels);
}

const isTrue = (value: unknown): boolean => value === true;

class Inspection {
  /**
   * `whole`: the data that `$same` pointers refer to; undefined for a state, because one change shows only a part of
   * it.
   */
  constructor(private readonly whole: unknown) {}

  flawIn(portable: unknown, path: string, depth: number): Flaw | undefined {
    if (typeof portable !== 'object' || portable === null) return undefined;
    if (depth > DEPTH_MAX) return { path, what: `is more than ${DEPTH_MAX} deep` };
    if (Array.isArray(portable)) return this.inList(portable as unknown[], path, depth + 1);
    const keys = Object.keys(portable);
    const mark = keys.find((key) => key.startsWith('$'));
    if (mark === undefined) return this.inFields(Object.entries(portable), path, depth + 1);
    if (keys.length > 1) return { path, what: `has ${mark} among other fields` };
    return this.inMark(mark, (portable as Record<string, unknown>)[mark], path, depth);
  }

  private inMark(mark: string, content: unknown, path: string, depth: number): Flaw | undefined {
    const wrong = (what: string): Flaw => ({ path: joined(path, mark), what });
    switch (mark) {
      case '$number':
        return NUMBERS.has(content) ? undefined : wrong('is not one of the numbers that JSON lacks');
      case '$bigint':
        return isBigint(content) ? undefined : wrong(`is not a whole number of at most ${DIGITS_MAX} digits, as text`);
      case '$undefined':
        return isTrue(content) ? undefined : wrong('is not true');
      case '$same':
        return this.leadsSomewhere(content) ? undefined : wrong('is not a pointer to an object of the same data');
      case '$map':
        return this.inPairs(content, joined(path, mark), depth + 1);
      case '$set':
        return Array.isArray(content)
          ? this.inMembers(content as unknown[], joined(path, mark), depth + 1)
          : wrong('is not a list');
      case '$object':
        return this.inPairs(content, joined(path, mark), depth + 1, 'with texts as keys');
      default:
        return wrong('is not a mark of plain data');
    }
  }

  private inList(items: readonly unknown[], path: string, depth: number): Flaw | undefined {
    return this.inMembers(
      items.map((item) => (isHole(item) ? null : item)),
      path,
      depth,
    );
  }

  private inMembers(items: readonly unknown[], path: string, depth: number): Flaw | undefined {
    for (const [at, item] of items.entries()) {
      const flaw = this.flawIn(item, joined(path, String(at)), depth);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  }

  private inFields(fields: readonly (readonly [string, unknown])[], path: string, depth: number): Flaw | undefined {
    for (const [key, field] of fields) {
      const flaw = this.flawIn(field, joined(path, key), depth);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  }

  private inPairs(content: unknown, path: string, depth: number, keyed?: string): Flaw | undefined {
    if (!Array.isArray(content)) return { path, what: 'is not a list of pairs' };
    for (const [at, pair] of (content as unknown[]).entries()) {
      const place = joined(path, String(at));
      if (!Array.isArray(pair) || pair.length !== 2) return { path: place, what: 'is not a pair' };
      if (keyed !== undefined && typeof pair[0] !== 'string') return { path: place, what: `is not a pair ${keyed}` };
      const flaw = this.inMembers(pair as unknown[], place, depth);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  }

  private leadsSomewhere(pointer: unknown): boolean {
    if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) return false;
    if (this.whole === undefined) return true;
    let place: unknown = this.whole;
    for (const step of pointer.split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return false;
      place = (place as Record<string, unknown>)[key];
    }
    return typeof place === 'object' && place !== null && !SCALARS.has(Object.keys(place)[0] ?? '');
  }
}

const NUMBERS: ReadonlySet<unknown> = new Set(['-0', 'NaN', 'Infinity', '-Infinity']);
/** Marks for values that are not objects. */
const SCALARS: ReadonlySet<string> = new Set(['$number', '$bigint', '$undefined', '$same', '$hole']);

/** Longer numbers take too long to parse. */
const DIGITS_MAX = 100_000;
const isBigint = (content: unknown): boolean =>
  typeof content === 'string' && content.length <= DIGITS_MAX && /^-?\d+$/.test(content);

const isHole = (item: unknown): boolean =>
  typeof item === 'object' &&
  item !== null &&
  isTrue((item as Record<string, unknown>)['$hole']) &&
  Object.keys(item).length === 1;

const joined = (path: string, step: string): string => (path === '' ? step : `${path}.${step}`);
