import { behavior, defineSystem, minimize, recheck, search } from 'culprit';
import { storyLines } from 'culprit/report';
import { eventOf, hex, type Event, type Trace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { brief } from './brief.ts';

/** Sends two messages on two lanes. The receiver is wrong if the second comes first. */
const sender = behavior<object, string>({
  start(ctx) {
    ctx.send('receiver', 'first', { lane: 'bulk' });
    ctx.send('receiver', 'second');
    return {};
  },
  receive() {},
});

const receiver = behavior<{ seen: string[] }, string>({
  start: () => ({ seen: [] }),
  receive(state, message) {
    state.seen.push(message);
  },
});

const system = defineSystem({
  processes: { sender, receiver },
  faults: { holds: 1 },
  invariants: { firstFirst: (world) => world.process('receiver').state?.seen[0] !== 'second' || 'second came first' },
});

const holdOf = ({ events }: Trace): Extract<Event, { kind: 'hold' }> | undefined =>
  events.map(eventOf).find((event) => event.kind === 'hold');

/** The first violation with a hold. */
async function heldTrace(): Promise<Trace> {
  for (let seed = 0; seed < 500; seed++) {
    const { findings } = await search(system, { executions: 1, seed });
    const trace = findings[0]?.trace;
    if (trace !== undefined && holdOf(trace) !== undefined) return trace;
  }
  throw new Error('no hold was drawn');
}

describe('a hold that a hunt draws', async () => {
  const trace = await heldTrace();

  test('is an event with both identities, and counts as a fault', async () => {
    const held = holdOf(trace);
    const events = trace.events.map(eventOf);
    const idOf = (message: string): string | undefined => {
      const found = events.find((event) => event.kind === 'deliver' && event.message === message);
      return found && hex(found);
    };
    expect(held?.until).toBe(idOf('second'));
    const { coverage } = await search(system, { executions: 300, violations: 1_000 });
    expect(coverage.faults['hold']?.happened).toBeGreaterThan(5);
    expect(coverage.faults['hold']?.effective).toBe(coverage.faults['hold']?.happened);
  });

  test('is shown with the message and the event that it waits for', () => {
    expect(storyLines(trace.events).join('\n')).toContain(
      'holds back first from sender to receiver on lane bulk until receiver gets second from sender',
    );
  });

  test('is replayed', async () => {
    expect((await recheck(system, trace)).answer).toBe('reproduced');
  });

  test('is dropped, because the schedule alone delivers the message late', async () => {
    const { trace: smallest, certificate } = await minimize(system, trace);
    expect(brief(smallest)).toEqual(['start sender', 'start receiver', 'receiver gets "second" from sender']);
    expect(certificate).toBe('shortest');
  });
});
