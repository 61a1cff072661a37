import { behavior, defineSystem, minimize, send, type System } from 'culprit';
import type { PipelineName } from 'culprit/kernel';
import type { Trace } from 'culprit/trace';
import { beforeAll, expect, test } from 'vitest';
import { found } from '../found.ts';

type Message =
  | { type: 'arm' }
  | { type: 'noise' }
  | { type: 'go' }
  | { type: 'hum' }
  | { type: 'pulse' }
  | { type: 'report'; armed: boolean };

/** Reports in a side message whether it was armed. Noise makes it hum and cancels its timer. */
const relay = behavior<{ armed: boolean }, Message, 'idle'>({
  start(ctx) {
    ctx.setTimer('idle', 10);
    return { armed: false };
  },
  receive(state, { type }, ctx) {
    if (type === 'arm') state.armed = true;
    if (type === 'noise') {
      ctx.cancelTimer('idle');
      ctx.send('lamp', { type: 'hum' });
    }
    if (type === 'go') {
      ctx.send('lamp', { type: 'pulse' });
      ctx.send('audit', { type: 'report', armed: state.armed });
    }
  },
  timer() {},
});

const lamp = behavior<{ hums: number; broken: boolean }, Message>({
  start: () => ({ hums: 0, broken: false }),
  receive(state, { type }) {
    if (type === 'hum') state.hums += 1;
    if (type === 'pulse') state.broken = true;
  },
});

const audit = behavior<object, Message>({ start: () => ({}), receive() {} });

/** A pulse breaks the lamp, whether the relay is armed or not. */
const circuit: System = defineSystem({
  processes: { relay, lamp, audit },
  workload: [send('relay', { type: 'arm' }), send('relay', { type: 'noise' }), send('relay', { type: 'go' })],
  invariants: { lampIsWhole: (world) => world.up(lamp).every(({ state }) => !state.broken) },
});

let trace: Trace;

/** The delivered messages. */
const deliveredIn = (events: Trace['events']): string[] =>
  events.flatMap((event) => (event.kind === 'deliver' ? [`${event.process} ${(event.message as Message).type}`] : []));

beforeAll(async () => {
  trace = await found(circuit, { seed: 8, strategy: 'round-robin' });
});

/** The delivered messages in the result of the pipeline. */
const delivered = async (pipeline: PipelineName): Promise<string[]> =>
  deliveredIn((await minimize(circuit, trace, { passes: [pipeline] })).trace.events);

test('the original execution arms, hums, and then fires', () => {
  const before = ['relay arm', 'relay noise', 'lamp hum', 'relay go', 'audit report'];
  expect(deliveredIn(trace.events)).toEqual([...before, 'lamp pulse']);
});

test('STSSched leaves out events that the pulse does not need', async () => {
  expect(await delivered('stssched')).toEqual(['relay go', 'lamp pulse']);
});

test('NoDiverge rejects a candidate in which an event sends something new', async () => {
  // Without arm, go makes the relay report that it is not armed. Without noise, the hum is absent, which is no divergence;
  // nor is the timer that stays set, as it had been set before it was canceled.
  expect(await delivered('nodiverge')).toEqual(['relay arm', 'relay go', 'lamp pulse']);
});

test('a divergence counts also if the message is never delivered', async () => {
  const { trace: left } = await minimize(circuit, trace, { passes: ['internals-by-halves:content:nodiverge'] });
  expect(deliveredIn(left.events)).toEqual(['relay arm', 'relay go', 'lamp pulse']);
  expect(left.events.filter(({ kind }) => kind === 'send').length).toBe(3);
});
