import { describe, expect, test } from 'vitest';
import type { EventLine, PendingLine } from 'culprit/trace';
import { HOPS_MAX, PacketPaths, type Hop } from '../../../src/networks/words/packet-path.ts';
import { StationPlaces } from './station-places.ts';

const at = (event: number, cause: number) => ({ event, cause, id: '0000000000000000' });
const deliver = (
  event: number,
  cause: number,
  from: string,
  process: string,
  message: unknown,
  more = {},
): EventLine => ({
  ...at(event, cause),
  kind: 'deliver',
  from,
  process,
  message,
  sentMs: 0,
  ...more,
});

/** Destination and source, then a type. */
const [there, back] = ['0000000000020000000000011234', '0000000000010000000000021234'];
const frame = (packet = there, port = 1) => ({ type: 'frame', port, packet });

const texts = (hops: readonly Hop[]): string[] =>
  hops.map(({ event, from, to, fate }) => `${event + 1} ${from} → ${to}${fate === 'arrived' ? '' : ` ${fate}`}`);

// h1 sends a frame over s1, the controller and s2, which answers; a copy is lost, another is under way.
const events: EventLine[] = [
  { ...at(1, 0), kind: 'send', process: 'environment', to: 's1', message: frame() },
  deliver(2, 1, 'environment', 's1', frame()),
  deliver(3, 2, 's1', 'c1', { type: 'packet_in', data: there, bufferId: 4, inPort: 1 }),
  deliver(4, 3, 'c1', 's3', { type: 'flow_mod', bufferId: 'none' }),
  deliver(
    5,
    3,
    'c1',
    's1',
    { type: 'flow_mod', bufferId: 4 },
    {
      dropped: [{ id: '0000000000000000', to: 's4', message: frame(), why: 'cut' }],
    },
  ),
  deliver(6, 5, 's1', 's2', frame(), { changes: [['/stations/h2/received', 0, 1]] }),
  deliver(7, 6, 's2', 's1', frame(back)),
  deliver(8, 0, 's2', 's1', { type: 'hello' }),
];
const pending: PendingLine[] = [
  {
    pending: true,
    kind: 'deliver',
    process: 's5',
    from: 's1',
    message: frame(),
    sentMs: 0,
    cause: 5,
    id: '0000000000000000',
  },
];
const paths = new PacketPaths({ events, pending });
const whole = [
  '2 environment → s1',
  '3 s1 → c1',
  '5 c1 → s1',
  '5 s1 → s4 lost',
  '5 s1 → s5 pending',
  '6 s1 → s2',
  '6 s2 → h2',
];

describe('the path of a packet', () => {
  test.each([0, 1, 2, 4, 5])('is the same from each of its events: %i', (event) => {
    expect(texts(paths.of(event))).toEqual(whole);
  });

  test('ends at an answer, which has a path of its own', () => {
    expect(texts(paths.of(6))).toEqual(['7 s2 → s1']);
  });

  test('is empty for an event that is not about a packet', () => {
    expect([paths.of(3), paths.of(7), paths.of(99)]).toEqual([[], [], []]);
  });

  test('of a packet that circulates is bounded', () => {
    const storm = Array.from({ length: 5_000 }, (_, nth) =>
      deliver(nth + 1, nth, nth % 2 === 0 ? 's1' : 's2', nth % 2 === 0 ? 's2' : 's1', frame()),
    );
    expect(new PacketPaths({ events: storm, pending: [] }).of(4_999)).toHaveLength(HOPS_MAX);
  });
});

test('a station is where the last message put it', () => {
  const moves = [
    deliver(1, 0, 'environment', 's1', { type: 'detach', station: 'h1' }),
    deliver(2, 0, 'environment', 's2', { type: 'attach', station: { name: 'h1' }, port: 7 }),
  ];
  const places = new StationPlaces([{ name: 'h1', process: 's1', port: 3 }], moves);
  expect([-1, 0, 1, 5].map((event) => places.at('h1', event))).toEqual([
    { process: 's1', port: 3 },
    undefined,
    { process: 's2', port: 7 },
    { process: 's2', port: 7 },
  ]);
});
