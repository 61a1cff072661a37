import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTrace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { handshake, link, stsEvent, textOf } from '../twins/networks/sts-trace.ts';
import { culprit, folderWith } from './culprit.ts';

/** Port 1 of s1 goes down and comes up, and the controller of STS ends. */
const recorded = textOf([
  stsEvent('ConnectToControllers', 0),
  ...handshake(50, 1),
  ...handshake(60, 2),
  link('LinkFailure', 200, [1, 1, 2, 1]),
  link('LinkRecovery', 300, [1, 1, 2, 1]),
  stsEvent('CheckInvariants', 400, { invariant_name: 'InvariantChecker.check_liveness' }),
  stsEvent('InvariantViolation', 400, { violations: ['c1'] }),
  stsEvent('WaitTime', 400, { wait_time: 1 }),
]);

const program = join(import.meta.dirname, '../networks/programs/port-controller.mjs');
const network = `import { controller, controllersAlive, defineNetwork, mesh } from 'culprit/networks';
  export default defineNetwork({
    controllers: { c1: controller([process.execPath, ${JSON.stringify(program)}, '$address', '$port']) },
    topology: mesh(2),
    pace: { quietMs: 200 },
    invariants: { alive: controllersAlive() },
  });`;

test('culprit import turns a trace of STS into ours, and its inputs give the violation with another controller', () => {
  const folder = folderWith({ 'events.trace': recorded, 'net.system.ts': network });
  const { code, out, err } = culprit(folder, 'import', 'events.trace');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(`\n${out}`).toMatchInlineSnapshot(`
    "
    imported  2 inputs (5 as STS counts), 6 messages on control channels
    topology  mesh(2)
    left out  1 check of invariants: here they are checked after every event
              1 wait which the times of events stand for
    violated  InvariantChecker.check_liveness: STS reports c1
    saved     .culprit/events-9729.trace, 21 events
    next      culprit replay .culprit/events-9729.trace --system my-network.system.ts
    "
  `);
  const [path = ''] = /\.culprit\/\S+\.trace/.exec(out) ?? [];
  expect(readTrace(readFileSync(join(folder, path), 'utf8'), path).header.topology?.nodes).toEqual(['s1', 's2']);

  const replayed = culprit(
    folder,
    'replay',
    path,
    '--system',
    'net.system.ts',
    '--replays',
    '2',
    '--jobs',
    '1',
    '--by-round',
  );
  expect(replayed.code).toBe(1);
  expect(replayed.out).toMatch(/^violated {2}\w+: .*c1/);
  expect(replayed.out).toContain('reproduced in 2 of 2 replays');
  expect(replayed.out).toContain('without faults: reproduced in 0 of 2 replays');
  expect(replayed.out).toMatch(
    /\nreplay {12}1 {8}2\noutcome {4}violated violated\nround 1 +\d+\/\d+\/\d+ +\d+\/\d+\/\d+\n/,
  );
});

test('--topology and --violation are heeded, and --json prints one object', () => {
  const folder = folderWith({ 'events.trace': recorded });
  const args = ['--topology', 'mesh(2)', '--violation', 'alive', '--json'];
  const { code, out } = culprit(folder, 'import', 'events.trace', ...args);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    topology: 'mesh(2)',
    inputs: { ours: 2, published: 5 },
    verdict: { oracle: 'alive' },
  });
});

test('an unknown class is named, and nothing is written', () => {
  const folder = folderWith();
  writeFileSync(join(folder, 'bad.trace'), recorded.replace('LinkFailure', 'Earthquake'));
  const { code, err } = culprit(folder, 'import', 'bad.trace');
  expect(code).toBe(2);
  expect(err).toContain('line 8 of the trace has an event of the class "Earthquake", which STS does not have.');
  expect(culprit(folder, 'import', 'bad.trace', '--topology', 'star(3)')).toMatchObject({ code: 2 });
});
