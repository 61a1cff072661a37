import { behavior, defineSystem, minimize, search, send } from 'culprit';
import { expect, test } from 'vitest';
import { ticking } from './ticking.ts';

/** Answers soon; but a second message within 50 ms of a poke that is late makes it answer twice. */
const server = ticking({
  receive(box, message) {
    const { type } = message as { type: string };
    if (type === 'poke') box.after(30, () => box.observe('poked', true));
    if (type !== 'ask') return;
    box.after(5, () => {
      box.send('client', { type: 'answer' });
      if (box.seen['poked'] === true) box.after(20, () => box.send('client', { type: 'answer' }));
    });
  },
});

const client = behavior({
  start: () => ({ asked: 0, answers: 0 }),
  receive(state, message: { type: string }, ctx) {
    if (message.type === 'answer') state.answers += 1;
    if (message.type !== 'go') return;
    state.asked += 1;
    ctx.send('server', { type: 'ask' });
  },
});

const system = defineSystem({
  processes: { server, client },
  pace: { roundMs: 50, quietMs: 200 },
  workload: [
    send('client', { type: 'go' }),
    send('server', { type: 'noise' }),
    send('server', { type: 'poke' }),
    send('server', { type: 'noise' }),
    send('client', { type: 'go' }),
    send('client', { type: 'go' }),
  ],
  invariants: {
    oneAnswer: (world) => {
      const { asked, answers } = world.process('client').state ?? { asked: 0, answers: 0 };
      return answers <= asked || `${answers} answers to ${asked} questions`;
    },
  },
});

test('a violation that depends on a late event is found, replayed and minimized', async () => {
  const report = await search(system, { executions: 20 });
  const [found] = report.findings;
  console.log(
    report.executions,
    found?.trace.events
      .map(
        (e) =>
          `${e.atMs} ${e.kind} ${e.process} ${JSON.stringify((e as any).message ?? '')} ${JSON.stringify(e.observed ?? '')}`,
      )
      .join('\n'),
    found?.trace.verdict,
  );
  const minimized = await minimize(system, found!.trace);
  console.log(
    minimized.trace.events
      .map(
        (e) =>
          `${e.atMs} ${e.kind} ${e.process} ${JSON.stringify((e as any).message ?? '')} ${JSON.stringify(e.observed ?? '')}`,
      )
      .join('\n'),
    minimized.trace.verdict,
    minimized.reproduction,
    minimized.schedules,
    minimized.certificate,
    minimized.stages,
  );
  expect(minimized.trace.events.length).toBeGreaterThan(2);
});
