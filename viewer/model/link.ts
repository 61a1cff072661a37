import type { Cursor, Settings } from './desk.ts';

/**
 * The fragment of the page's address: the number of an event, with a `b` before it for the right side; then the choices of the reader
 * that differ from those of a fresh page.
 */
export function hashOf(settings: Settings, fresh: Settings): string {
  const parts = Object.entries(links).flatMap(([name, { write, isSame }]) =>
    isSame(settings, fresh) ? [] : `&${name}=${encodeURIComponent(write(settings))}`,
  );
  return `#${place(settings.cursor)}${parts.join('')}`;
}

const place = ({ side, event }: Cursor): string => `${side === 1 ? 'b' : ''}${event + 1}`;

export function cursorIn(hash: string): Cursor | undefined {
  return placeIn(hash.slice(1).split('&')[0] ?? '');
}

function placeIn(text: string): Cursor | undefined {
  const found = /^(?<side>b?)(?<event>\d{1,9})$/.exec(text)?.groups;
  if (found === undefined) return undefined;
  return { side: found['side'] === 'b' ? 1 : 0, event: Number(found['event']) - 1 };
}

/** The choices in an address. An address may come from anywhere: what it says wrongly is ignored. */
export function settingsIn(hash: string): Partial<Settings> {
  const given = new URLSearchParams(hash.slice(1).split('&').slice(1).join('&'));
  return Object.assign(
    {},
    ...Object.entries(links).map(([name, { read }]) => {
      const text = given.get(name);
      return text === null ? {} : read(text);
    }),
  ) as Partial<Settings>;
}

interface LinkPart {
  readonly write: (settings: Settings) => string;
  readonly read: (text: string) => Partial<Settings>;
  readonly isSame: (settings: Settings, fresh: Settings) => boolean;
}

/** Names are separated by commas, which are written as `%2C` inside a name. */
const list = (names: Iterable<string>): string => [...names].map((name) => encodeURIComponent(name)).join(',');
const listIn = (text: string): string[] => text.split(',').filter(Boolean).map(decoded);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function part<K extends keyof Settings>(
  key: K,
  write: (value: Settings[K]) => string,
  read: (text: string) => Settings[K],
): LinkPart {
  const writeFrom = (settings: Settings): string => write(settings[key]);
  return {
    write: writeFrom,
    read: (text) => ({ [key]: read(text) }),
    isSame: (settings, fresh) => writeFrom(settings) === writeFrom(fresh),
  };
}

const flag = (key: 'isFolding' | 'isCone' | 'isOnlyFound' | 'isTopology'): LinkPart =>
  part(
    key,
    (isOn) => (isOn ? '1' : '0'),
    (text) => text === '1',
  );

const names = (key: 'processes' | 'hidden' | 'sorts'): LinkPart => part(key, list, (text) => new Set(listIn(text)));

const links: Readonly<Record<string, LinkPart>> = {
  q: part(
    'query',
    (query) => query,
    (text) => text,
  ),
  found: flag('isOnlyFound'),
  fold: flag('isFolding'),
  open: part(
    'opened',
    (lines) => [...lines].join(','),
    (text) => new Set(text.split(',').map(Number).filter(Number.isInteger)),
  ),
  cone: flag('isCone'),
  topology: flag('isTopology'),
  node: part(
    'node',
    (node) => node ?? '',
    (text) => text || undefined,
  ),
  only: names('processes'),
  hide: names('hidden'),
  kinds: names('sorts'),
  order: part('order', list, listIn),
  base: part('base', (base) => (base === undefined ? '' : place(base)), placeIn),
  marked: part(
    'marked',
    (events) => events.map((event) => event + 1).join(','),
    (text) =>
      text
        .split(',')
        .map((event) => Number(event) - 1)
        .filter((event) => Number.isInteger(event) && event >= 0),
  ),
};
