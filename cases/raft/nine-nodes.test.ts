import { minimize, search } from 'culprit';
import type { Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import type { Message } from './messages.ts';
import raft from './raft.system.ts';

const set = { bug: 'raft-45', nodes: 9 };

/** As the default, without what makes clusters smaller. */
const droppingOnly = [
  'provenance',
  'loops:place',
  'cascades:place',
  'externals:place',
  'closures:place',
  'internals:place',
  'cascades:type',
  'externals:type',
  'closures:type',
  'internals:type',
  'single:place',
  'single:type',
] as const;

describe('raft-45 on nine nodes', () => {
  test.each([
    { seed: 82, events: 415, dropping: [50, 7, 9], shrinking: [30, 4, 4] },
    { seed: 400, events: 477, dropping: [72, 9, 9], shrinking: [43, 5, 5] },
  ])('of seed $seed needs $shrinking.2 of them', async ({ seed, events, dropping, shrinking }) => {
    const { findings } = await search(raft, { seed, executions: 1, eventsMax: 3_000, strategy: 'random', set });
    const trace = findings[0]?.trace as Trace;
    expect(trace.events.length).toBe(events);
    expect(sizeOf((await minimize(raft, trace, { passes: droppingOnly })).trace)).toEqual(dropping);
    const { trace: smallest, certificate } = await minimize(raft, trace);
    expect(sizeOf(smallest)).toEqual(shrinking);
    expect(certificate).toBe('1-minimal');
  });
});

/** Events, bootstraps, and members of the cluster as the bootstraps say, all of them the same. */
function sizeOf({ events }: Trace): [events: number, bootstraps: number, members: number] {
  const sent = events.flatMap((event) => (event.kind === 'send' ? [event.message as Message] : []));
  const members = sent.flatMap((message) => (message.type === 'ChangeConfiguration' ? [message.members.length] : []));
  expect(new Set(members).size).toBe(1);
  return [events.length, members.length, members[0] ?? 0];
}
