import { isPlainObject, setOwn } from '../../trace/plain-data.ts';

/** How texts are rewritten, including keys, and which items stay in lists and sets. */
interface Rewriting {
  readonly text?: (text: string) => string;
  readonly keeps?: (item: unknown) => boolean;
}

/** The same data with other texts, or without some items. An object that occurs several times still does. */
export function rewritten(value: unknown, { text = (same) => same, keeps = () => true }: Rewriting): unknown {
  const done = new Map<object, unknown>();
  const of = (part: unknown): unknown => {
    if (typeof part === 'string') return text(part);
    if (typeof part !== 'object' || part === null) return part;
    return done.has(part) ? done.get(part) : made(part);
  };
  const made = (part: object): unknown => {
    if (Array.isArray(part)) return filled<unknown[]>(part, [], (into) => into.push(...part.filter(keeps).map(of)));
    if (part instanceof Set)
      return filled(part, new Set(), (into) => [...part].filter(keeps).forEach((item) => into.add(of(item))));
    if (part instanceof Map)
      return filled(part, new Map(), (into) => part.forEach((inner, key) => into.set(of(key), of(inner))));
    if (!isPlainObject(part)) return part;
    return filled(part, {}, (into) => {
      for (const [key, inner] of Object.entries(part)) setOwn(into, text(key), of(inner));
    });
  };
  /** Registers the object before filling it, because it may contain itself. */
  const filled = <T>(part: object, into: T, fill: (into: T) => unknown): T => {
    done.set(part, into);
    fill(into);
    return into;
  };
  return of(value);
}
