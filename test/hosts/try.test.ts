import { behavior, defineSystem, send } from 'culprit';
import { actors, drive, execution, resolveSystem, strategyCalled } from 'culprit/kernel';
import { expect, test } from 'vitest';
import { ticking } from './ticking.ts';

const server = ticking({
  receive: (box, message, from) => box.after(5, () => box.send(from, { type: 'answer', to: message })),
});

test('a client with a long retry beside a server that answers soon gets the answer', async () => {
  const client = behavior({
    start(ctx) {
      ctx.send('server', { type: 'ask' });
      ctx.repeatTimer('retry', 1_000);
      return { answers: 0, retries: 0 };
    },
    receive(state, _message: object) {
      state.answers += 1;
    },
    timer(state) {
      state.retries += 1;
    },
  });
  const system = resolveSystem(
    defineSystem({ processes: { server, client }, workload: [send('client', {}), send('client', {})] }),
  );
  const session = actors(system).open(1);
  const strategy = strategyCalled('random')({
    seed: 1,
    plan: system.plan(1),
    steps: 100,
    pace: { roundMs: 100, quietMs: 500, executionMs: 5_000 },
  });
  const outcome = await drive(
    execution(session, { strategy, oracle: { judge: () => ({ kind: 'holds' }) }, eventsMax: 1000 }),
  );
  console.log(
    outcome,
    session.recording.events.since(0).map((e) => `${e.kind} ${e.process} ${e.hi}`),
    session.world.process('client').state,
    (session as any).times,
  );
  expect(session.world.process('client').state).toEqual({ answers: 3, retries: 0 });
  await session.close();
});
