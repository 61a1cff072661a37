import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTrace } from 'culprit/trace';
import { describe, expect, test } from 'vitest';
import { connected, handshake, link, stsEvent, textOf } from '../twins/networks/sts-trace.ts';
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

test('the inputs of a trace give the violation of a study in memory, and none without its bug', () => {
  const inputs = textOf([
    stsEvent('ConnectToControllers', 0),
    ...[1, 2, 3, 4].flatMap((dpid) => connected(50, dpid)),
    link('LinkFailure', 200, [1, 1, 4, 3]),
    link('LinkRecovery', 300, [1, 1, 4, 3]),
    stsEvent('InvariantViolation', 400, { violations: ['c1'] }),
  ]);
  const study = join(import.meta.dirname, '../../cases/networks/17-memory-corruption/network.system.ts');
  const replayed = (...set: readonly string[]): string => {
    const folder = folderWith({ 'mcs.trace': inputs });
    const { out } = culprit(folder, 'import', 'mcs.trace', '--set', 'live=false', ...set);
    const [path = ''] = /\.culprit\/\S+\.trace/.exec(out) ?? [];
    return culprit(folder, 'replay', path, '--system', study, '--neighbors', '0').out;
  };
  expect(replayed()).toMatch(/^violated {2}noUncaughtException: .*the state of s1\.1 is not what it was/);
  expect(replayed('--set', 'bug=false')).toMatch(/^replayed {2}(diverged|fixed)/);
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

describe('bad input is one sentence, and nothing is written:', () => {
  test.each([
    [
      'an unknown class',
      recorded.replace('LinkFailure', 'Earthquake'),
      [],
      'line 8 of the trace has an event of the class "Earthquake"',
    ],
    ['text that is no trace', 'hello\n', [], 'line 1 of the trace'],
    ['an empty file', '', [], 'the trace is empty.'],
    ['a trace of ours', '{"trace":"culprit","format":"1.9"}\n', [], 'line 1 of the trace'],
    ['an unknown topology', recorded, ['--topology', 'star(3)'], 'there is no topology called star(3).\nnext '],
    ['a topology that does not fit', recorded, ['--topology', 'linear(1)'], 'the topology has no switch "s2".'],
  ])('%s', (_name, text, options, sentence) => {
    const folder = folderWith({ 'bad.trace': text });
    const { code, out, err } = culprit(folder, 'import', 'bad.trace', ...options);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
    expect(err).not.toContain('    at ');
    expect(existsSync(join(folder, '.culprit'))).toBe(false);
  });

  test('a file that is not there', () => {
    const { code, err } = culprit(folderWith(), 'import', 'gone.trace');
    expect(code).toBe(2);
    expect(err).toContain('gone.trace');
    expect(err).toContain('Give the path of an events.trace or mcs.trace of STS.');
  });
});
