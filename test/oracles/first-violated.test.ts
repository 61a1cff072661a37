import { targetOf, resolveSystem, type Operation } from 'culprit/kernel';
import { behavior, defineSystem, linearizable, models, send, start } from 'culprit';
import type { Internal } from 'culprit/trace';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventsUntilViolated, legalOn } from '../twins/linearizability.ts';
import { cells } from '../twins/objects.ts';

type Input = { f: 'read' } | { f: 'write'; value: number };

/** A note of a client: a call, or the end of its oldest open call. */
type Noted = { call: Input } | { returned: number | null } | { failed: true };

const client = behavior<{ open: { call: number; input: Input }[] }, Noted[]>({
  start: () => ({ open: [] }),
  receive(state, notes, ctx) {
    for (const note of notes) {
      if ('call' in note) {
        state.open.push({ call: ctx.history.call(note.call), input: note.call });
        continue;
      }
      const ended = state.open.shift();
      if (ended === undefined) continue;
      if ('failed' in note) ctx.history.fail(ended.call);
      else if (ended.input.f === 'read') ctx.history.return(ended.call, note.returned);
      else ctx.history.return(ended.call);
    }
  },
});

const names = ['x', 'y', 'z'] as const;
const system = resolveSystem(defineSystem({ processes: { x: client, y: client, z: client } }));

const values = fc.constantFrom(1, 2);
const noted: fc.Arbitrary<Noted> = fc.oneof(
  fc.record({
    call: fc.oneof(fc.constant({ f: 'read' as const }), fc.record({ f: fc.constant('write' as const), value: values })),
  }),
  fc.record({ returned: fc.oneof(fc.constant(null), values, values) }),
  fc.record({ failed: fc.constant(true as const) }),
);
// Few enough that all orders can be tried, after each event.
const scripts = fc
  .array(fc.tuple(fc.constantFrom(...names), fc.array(noted, { minLength: 1, maxLength: 3 })), {
    maxLength: 8,
    size: 'max',
  })
  .filter((script) => script.flatMap(([, notes]) => notes).filter((note) => 'call' in note).length <= 6);

/** Executes the script, one message after the other, and gives the history after each number of events, from 0 on. */
function histories(script: readonly (readonly [string, Noted[]])[]) {
  const session = targetOf(system).open(1);
  const seen = [session.world.operations()];
  const perform = (event: Parameters<typeof session.perform>[0]): void => {
    void session.perform(event);
    seen.push(session.world.operations());
  };
  for (const name of names) perform(start(name));
  for (const [name, notes] of script) {
    perform(send(name, notes));
    perform(session.enabled[0] as Internal);
  }
  return { world: session.world, seen: seen as Operation<Input, unknown>[][] };
}

test('a history is violated after as many events as a search of all orders after each of them finds', () => {
  const oracle = linearizable(models.register());
  const tally = { byReturn: 0, byFailure: 0, early: 0 };
  fc.assert(
    fc.property(scripts, (script) => {
      const { world, seen } = histories(script);
      const verdict = oracle.end?.(world, true);
      const events = eventsUntilViolated(seen, legalOn<Input, unknown>(cells));
      expect(verdict).toMatchObject(events === undefined ? { kind: 'holds' } : { kind: 'violated', events });
      if (events === undefined) return;
      const isFailure = (seen[events]?.length ?? 0) < (seen[events - 1]?.length ?? 0);
      tally[isFailure ? 'byFailure' : 'byReturn'] += 1;
      if (events < world.length) tally.early += 1;
    }),
    { seed: 1, numRuns: 2_000 },
  );
  // Without violations the test would mean little.
  expect(tally.byReturn).toBeGreaterThan(200);
  expect(tally.byFailure).toBeGreaterThan(10);
  expect(tally.early).toBeGreaterThan(200);
});
