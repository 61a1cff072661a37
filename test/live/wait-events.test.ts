import { behavior, defineSystem, recheck, search, send, until } from 'culprit';
import { command, stdio } from 'culprit/live';
import { expect, test } from 'vitest';

/** Is promoted a while after it was asked to, which it only logs, and stores nothing before that. */
const program = `
  let isPromoted = false;
  const promote = () => { isPromoted = true; console.error('promoted'); };
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { message } = JSON.parse(line);
    if (message === 'promote') setTimeout(promote, 150);
    if (message === 'write' && isPromoted) console.log(JSON.stringify({ to: 'client', message: 'stored' }));
  });
`;

interface View {
  readonly isPromoted: boolean;
}

const replica = command<View>([process.execPath, '-e', program], {
  connect: stdio(),
  view: ({ err }) => ({ isPromoted: err.includes('promoted') }),
});

const system = defineSystem({
  processes: {
    replica,
    client: behavior({ start: () => ({ stored: 0 }), receive: (state) => void (state.stored += 1) }),
  },
  pace: { roundMs: 5, quietMs: 50 },
  workload: [
    send('replica', 'promote'),
    until((world) => (world.process('replica').state as View | undefined)?.isPromoted === true, {
      name: 'the replica is promoted',
      withinMs: 60_000,
    }),
    send('replica', 'write'),
  ],
  invariants: { nothingIsStored: (world) => world.process('client').state?.stored !== 1 },
});

test('a wait for what a program logs is an event, and replays wait for it', async () => {
  const { findings } = await search(system, { executions: 1, control: false });
  const trace = findings[0]?.trace as NonNullable<(typeof findings)[number]>['trace'];
  const wait = trace.events.find((event) => event.kind === 'wait');
  expect(wait).toMatchObject({ condition: 'the replica is promoted', withinMs: 60_000, met: true });
  expect(wait?.tookMs).toBeGreaterThan(50);
  expect(await recheck(system, trace, { replays: 2 })).toMatchObject({ reproduced: 2 });
});
