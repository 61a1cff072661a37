import type { EventLine, PendingLine, Trace } from 'culprit/trace';

/** The fields of an event besides its number, its cause and its identity. */
type Content = { readonly process: string; readonly kind: string; readonly cause?: number } & Record<string, unknown>;

const idOf = (number: number): string => number.toString(16).padStart(16, '0');

const NAME = idOf(0);

/** A trace of these events, without a violation by default. */
function traceOf(
  events: readonly Content[],
  pending: readonly Content[] = [],
  processes: readonly string[] = [],
): Trace {
  return {
    header: {
      trace: 'culprit',
      format: '1.4',
      culprit: '0.1.0',
      system: 'large',
      module: null,
      parameters: {},
      seed: 1,
      options: { strategy: 'random', eventsMax: events.length },
      events: events.length,
    },
    events: events.map((content, at) => ({ event: at + 1, id: idOf(at + 1), cause: at, ...content }) as EventLine),
    pending: pending.map(
      (content, at) => ({ pending: true, id: idOf(events.length + at + 1), cause: 1, ...content }) as PendingLine,
    ),
    verdict: {
      verdict: 'violated',
      oracle: 'some',
      message: 'something is wrong',
      processes: [...processes],
      fingerprint: 'some',
      name: NAME,
      ending: 'verdict',
    },
  };
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const start = (process: string): Content => ({ kind: 'start', process, cause: 0, state: NAME });

const deliver = (process: string, from: string, message: unknown, more: object = {}): Content => ({
  kind: 'deliver',
  process,
  from,
  message,
  sentMs: 0,
  state: NAME,
  ...more,
});

const fire = (process: string, timer: string): Content => ({ kind: 'fire', process, timer, deadlineMs: 10, cause: 1 });

const dropped = (at: number): object => ({ id: idOf(at), to: 'b', message: at, why: 'lost', cause: 0 });

/** Traces in which one dimension is large: the number of events, processes, changes or entries. */
export const shapes: Readonly<Record<string, (size: number) => Trace>> = {
  'two processes in turns': (size) =>
    traceOf([start('a'), ...times(size, (at) => deliver(at % 2 === 0 ? 'b' : 'a', at % 2 === 0 ? 'a' : 'b', at))]),
  'the same message again and again': (size) =>
    traceOf([start('a'), ...times(size, () => deliver('a', 'b', { type: 'ping' }))]),
  'messages in a period of seven': (size) =>
    traceOf([start('a'), ...times(size, (at) => deliver(`p${at % 7}`, `p${(at + 6) % 7}`, { type: `m${at % 7}` }))]),
  'processes that only start': (size) => traceOf(times(size, (at) => start(`p${at}`))),
  'one process sends to all': (size) =>
    traceOf([start('a'), ...times(size, (at) => ({ ...deliver(`p${at}`, 'a', at), cause: 1 }))]),
  'all processes send to one': (size) =>
    traceOf([
      ...times(size / 2, (at) => start(`p${at}`)),
      ...times(size / 2, (at) => ({ ...deliver('a', `p${at}`, at), cause: at + 1 })),
    ]),
  'a chain through all processes': (size) =>
    traceOf([start('p0'), ...times(size, (at) => deliver(`p${at + 1}`, `p${at}`, at))]),
  'crashes and restarts': (size) =>
    traceOf([
      start('a'),
      ...times(size, (at) => ({ kind: at % 2 === 0 ? 'crash' : 'restart', process: 'a', cause: 0 })),
    ]),
  'everything is pending': (size) =>
    traceOf(
      [start('a')],
      times(size, (at) => ({ kind: 'deliver', process: `p${at}`, from: 'a', message: at, sentMs: 0 })),
    ),
  'timers fire': (size) => traceOf([start('a'), ...times(size, (at) => fire('a', `t${at}`))]),
  'one event drops all': (size) => traceOf([{ ...start('a'), dropped: times(size, dropped) }]),
  'every event drops one': (size) =>
    traceOf([start('a'), ...times(size, (at) => deliver('a', 'b', at, { dropped: [dropped(at)] }))]),
  'one event changes all': (size) =>
    traceOf([{ ...start('a'), changes: times(size, (at) => [`/k${at}`, { $nothing: true }, at]) }]),
  'a list grows': (size) =>
    traceOf([
      { ...start('a'), changes: [['', { $nothing: true }, { list: [] }]] },
      ...times(size, (at) => deliver('a', 'b', at, { changes: [[`/list/${at}`, { $nothing: true }, at]] })),
    ]),
  'a Map grows': (size) =>
    traceOf([
      { ...start('a'), changes: [['', { $nothing: true }, { map: { $map: [] } }]] },
      ...times(size, (at) => deliver('a', 'b', at, { changes: [[`/map/${at}`, { $nothing: true }, at]] })),
    ]),
  'one large message': (size) =>
    traceOf([start('a'), deliver('a', 'b', Object.fromEntries(times(size, (at) => [`k${at}`, at])))]),
  'one event logs and prints all': (size) =>
    traceOf([{ ...start('a'), log: times(size / 2, (at) => `line ${at}`), output: times(size / 2, (at) => at) }]),
  'client operations': (size) =>
    traceOf([
      start('a'),
      ...times(size, (at) =>
        deliver('a', 'b', at, {
          history: [at % 2 === 0 ? { call: at / 2 + 1, input: at } : { return: (at + 1) / 2, output: at }],
        }),
      ),
    ]),
  'one cut of all links': (size) =>
    traceOf([{ kind: 'cut', process: 'environment', cause: 0, links: times(size, (at) => [`p${at}`, `p${at + 1}`]) }]),
  'an action with many consequences': (size) =>
    traceOf([
      { kind: 'act', process: 'environment', cause: 0, action: 'all', payload: 1 },
      ...times(size, (at) => ({ ...start(`p${at}`), cause: 1 })),
    ]),
  'messages are lost and copied': (size) =>
    traceOf([
      start('a'),
      ...times(size, (at) => ({
        kind: at % 2 === 0 ? 'lose' : 'duplicate',
        process: 'environment',
        target: idOf(at),
      })),
    ]),
  'one process spawns all': (size) =>
    traceOf([start('a'), ...times(size, (at) => ({ kind: 'spawn', process: `a/k-${at}`, cause: 1, of: 'k' }))]),
  'disk operations': (size) =>
    traceOf([
      start('a'),
      ...times(size, (at) => ({
        kind: 'complete',
        process: 'a',
        operation: 'write',
        key: `k${at % 3}`,
        value: at,
        deadlineMs: 0,
        request: at,
      })),
    ]),
  'all processes are to blame': (size) =>
    traceOf(
      times(size, (at) => start(`p${at}`)),
      [],
      times(size, (at) => `p${at}`),
    ),
};
