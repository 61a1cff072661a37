import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { search } from 'culprit';
import { align, type AlignedRow, type EventLine, type Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import lock from '../../cases/lock/lock.system.ts';
import { lengthOfCommon } from '../twins/subsequence.ts';

const trace = (events: readonly EventLine[]): Trace => ({
  header: {
    trace: 'culprit',
    format: '1.0',
    culprit: '0',
    system: 's',
    module: null,
    parameters: {},
    seed: 0,
    options: { strategy: 'random', eventsMax: 1 },
    events: events.length,
  },
  events,
  pending: [],
  verdict: { verdict: 'holds', name: '0000000000000000', ending: 'finished' },
});

/** `a:x` is a delivery of x to a, by its identity; `a:x=1` leaves that state behind. */
const traceFrom = (text: string): Trace =>
  trace(
    text.split(' ').map((word, at): EventLine => {
      const [, process = '', message = '', id = '', state] = /^(\w+):(\w+)@(\w+)(?:=(\w+))?$/.exec(word) ?? [];
      return {
        event: at + 1,
        kind: 'deliver',
        process,
        cause: 0,
        id: id.padStart(16, '0'),
        from: 'b',
        message,
        sentMs: at,
        ...(state === undefined ? {} : { state: state.padStart(16, '0') }),
      };
    }),
  );

const shown = ({ how, left, right, elsewhere }: AlignedRow): string =>
  `${how} ${left ?? ''}|${right ?? ''}${elsewhere === undefined ? '' : ` (${elsewhere})`}`;

const aligned = (left: string, right: string): string[] => align(traceFrom(left), traceFrom(right)).rows.map(shown);

describe('two small executions', () => {
  test('are the same', () => {
    expect(align(traceFrom('a:x@1=1 b:y@2'), traceFrom('a:x@1=1 b:y@2'))).toEqual({
      rows: [
        { left: 1, right: 1, how: 'same' },
        { left: 2, right: 2, how: 'same' },
      ],
      divergence: undefined,
    });
  });

  test('an event with another effect differs, and so does one with other contents', () => {
    expect(aligned('a:x@1=1 a:y@2', 'a:x@1=2 a:z@2')).toEqual(['differs 1|1', 'differs 2|2']);
  });

  test('an event of the same identity has priority over one with the same contents', () => {
    expect(aligned('a:x@1 b:y@2', 'a:x@3 a:x@1 b:y@2')).toEqual(['right |1', 'same 1|2', 'same 2|3']);
  });

  test('events of other identities with the same contents are the same, in the order of both', () => {
    expect(aligned('a:x@1 b:y@2 a:z@3', 'a:x@4 c:y@5 a:z@6')).toEqual(['same 1|1', 'left 2|', 'right |2', 'same 3|3']);
  });

  test('an event that happens at another place has its number there', () => {
    expect(aligned('a:x@1 b:y@2 c:z@3', 'b:y@2 c:z@3 a:x@1')).toEqual([
      'left 1| (3)',
      'same 2|1',
      'same 3|2',
      'right |3 (1)',
    ]);
  });

  test('the first row that is not the same on both sides is the divergence', () => {
    expect(align(traceFrom('a:x@1 b:y@2=1'), traceFrom('a:x@1 b:y@2=2')).divergence).toBe(1);
  });
});

test('a message that is lost on both sides is the same, regardless of its history', () => {
  const losing = (id: string): Trace => {
    const dropped = [{ id: id.padStart(16, '0'), to: 'a', message: 'x', why: 'lost' as const }];
    const [line] = traceFrom(`environment:x@${id}${id}`).events as [EventLine];
    const { event, process, cause } = line;
    return trace([{ event, process, cause, id: line.id, kind: 'lose', target: id.padStart(16, '0'), dropped }]);
  };
  expect(align(losing('1'), losing('2')).rows.map(shown)).toEqual(['same 1|1']);
});

/** Identities from a small pool, so that some occur twice, as damaged files may have them. */
const events = fc.array(
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y', 'z'), fc.nat(20), fc.nat(1))
    .map(([process, message, id, state]) => `${process}:${message}@${id}=${state}`),
  { minLength: 1, maxLength: 12 },
);

const identities = ({ events: lines }: Trace): string[] => {
  const names = lines.map(({ id, process }) => `${id} ${process}`);
  return names.map((name, at) => `${name} ${names.slice(0, at).filter((one) => one === name).length}`);
};

const contents = ({ events: lines }: Trace): string[] =>
  lines.map(
    (line) => `${line.process} ${line.kind === 'deliver' ? `${line.from} ${JSON.stringify(line.message)}` : line.kind}`,
  );

/** Whether there are as many pairs between two rows of the same identity as the events of one side allow. */
function isRefined(left: Trace, right: Trace, rows: readonly AlignedRow[]): boolean {
  const [ids, others] = [identities(left), identities(right)];
  const ends = rows.flatMap((row, at) => (isAnchor(left, right, row) ? [at] : []));
  return [...ends, rows.length].every((end, nth) => {
    const between = rows.slice(nth === 0 ? 0 : (ends[nth - 1] as number) + 1, end);
    const ones = between.flatMap(({ left: one }) => (one === undefined ? [] : [one - 1]));
    const theirs = between.flatMap(({ right: other }) => (other === undefined ? [] : [other - 1]));
    const saidLeft = ones.filter((at) => !others.includes(ids[at] as string)).map((at) => contents(left)[at] as string);
    const saidRight = theirs
      .filter((at) => !ids.includes(others[at] as string))
      .map((at) => contents(right)[at] as string);
    return between.filter(isPair).length === lengthOfCommon(saidLeft, saidRight);
  });
}

const isPair = ({ left, right }: AlignedRow): boolean => left !== undefined && right !== undefined;

const isAnchor = (left: Trace, right: Trace, { left: one = 0, right: other = 0 }: AlignedRow): boolean =>
  one > 0 && other > 0 && identities(left)[one - 1] === identities(right)[other - 1];

/** The expected row for these events. */
function rowOf(left: Trace, right: Trace, { left: one, right: other }: AlignedRow): AlignedRow {
  const [ids, others] = [identities(left), identities(right)];
  const place =
    one === undefined ? ids.indexOf(others[(other ?? 0) - 1] as string) : others.indexOf(ids[one - 1] as string);
  const elsewhere = place < 0 ? {} : { elsewhere: place + 1 };
  if (one === undefined) return { right: other as number, how: 'right', ...elsewhere };
  if (other === undefined) return { left: one, how: 'left', ...elsewhere };
  return { left: one, right: other, how: isSame(left, right, one, other) };
}

/** The problems of an alignment: none. */
function wrongIn(left: Trace, right: Trace): string[] {
  const { rows, divergence } = align(left, right);
  const [ids, others] = [identities(left), identities(right)];
  const numbers = (side: 'left' | 'right'): string => String(rows.flatMap((row) => row[side] ?? []));
  const isAlike = (row: AlignedRow): boolean =>
    isAnchor(left, right, row) || contents(left)[(row.left ?? 0) - 1] === contents(right)[(row.right ?? 0) - 1];
  const holds = {
    'every event on the left once, in order': numbers('left') === String(left.events.map(({ event }) => event)),
    'every event on the right once, in order': numbers('right') === String(right.events.map(({ event }) => event)),
    'each row says what it is': rows.every((row) => isDeepStrictEqual(row, rowOf(left, right, row))),
    'only equivalent events are paired': rows.filter(isPair).every(isAlike),
    'as many identities as there can be':
      rows.filter((row) => isAnchor(left, right, row)).length === lengthOfCommon(ids, others),
    'as many of the rest as there can be': isRefined(left, right, rows),
    'the first difference': (divergence ?? -1) === rows.findIndex(({ how }) => how !== 'same'),
  };
  return Object.entries(holds).flatMap(([what, isSo]) => (isSo ? [] : [what]));
}

function isSame(left: Trace, right: Trace, one: number, other: number): 'same' | 'differs' {
  const [then, now] = [left.events[one - 1], right.events[other - 1]].map((line) => {
    const { event: _event, cause: _cause, id: _id, ...rest } = line as EventLine;
    return JSON.stringify('sentMs' in rest ? { ...rest, sentMs: 0, ask: 0, reply: 0 } : { ...rest, deadlineMs: 0 });
  });
  return then === now ? 'same' : 'differs';
}

describe('agrees with the slow twin', () => {
  test('on random events', () => {
    fc.assert(
      fc.property(events, events, (left, right) => {
        expect(wrongIn(traceFrom(left.join(' ')), traceFrom(right.join(' ')))).toEqual([]);
      }),
      { seed: 6, numRuns: 2_000 },
    );
  });

  test('on executions of the lock', async () => {
    const found: Trace[] = [];
    for (let seed = 0; seed < 400; seed += 40)
      for (const { trace: one } of (await search(lock, { seed, executions: 40 })).findings) found.push(one);
    expect(found).toHaveLength(10);
    expect(found.flatMap((left) => found.flatMap((right) => wrongIn(left, right)))).toEqual([]);
  });
});

describe('20,000 events on each side', () => {
  const long = (id: (at: number) => number, message: (at: number) => string): Trace =>
    traceFrom(Array.from({ length: 20_000 }, (_, at) => `a:${message(at)}@${id(at)}`).join(' '));
  /** The number of aligned events; each occurs once, in order. */
  const paired = (left: Trace, right: Trace): number => {
    const { rows } = align(left, right);
    for (const [side, { events: lines }] of [['left', left] as const, ['right', right] as const])
      expect(rows.flatMap((row) => row[side] ?? [])).toEqual(lines.map(({ event }) => event));
    return rows.filter(isPair).length;
  };
  const few = (at: number): string => 'xyz'[(Math.imul(at, 0x9e3779b1) >>> 16) % 3] as string;

  test('of which every tenth has moved', () => {
    const moved = (at: number): number => (at % 10 === 0 ? at + 1 : at % 10 === 1 ? at - 1 : at);
    expect(
      paired(
        long((at) => at, few),
        long(moved, few),
      ),
    ).toBe(18_000);
  });

  test('without common histories, and with few different contents', () => {
    const left = long((at) => at, few);
    const right = long(
      (at) => at + 20_000,
      (at) => few(at + Math.floor(at / 100)),
    );
    expect(paired(left, right)).toBe(19_804);
  });

  test('some of which are unique, behind a long stretch on only one side', () => {
    const marked = (at: number): string => (at >= 0 && at % 700 === 0 ? `mark${at}` : few(at));
    const [left, right] = [
      long((at) => at, marked),
      long(
        (at) => at + 20_000,
        (at) => marked(at - 1_500),
      ),
    ];
    const { rows } = align(left, right);
    const isMark = ({ left: one = 0 }: AlignedRow): boolean => (one - 1) % 700 === 0 && one <= 18_500;
    expect(rows.filter(isMark).map((row) => (row.right ?? 0) - (row.left ?? 0))).toEqual(Array(27).fill(1_500));
    expect(paired(left, right)).toBe(18_500);
  });
});
