import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { culprit, culpritReading, makeFolder, removeFolder } from './culprit.ts';

const study = fileURLToPath(new URL('../../cases/learning-switch', import.meta.url));
const trace = 'cases/learning-switch/best/keeps.trace';
const system = ['--system', 'cases/learning-switch/learning-switch.system.ts'];

let folder: string;

beforeAll(() => {
  folder = makeFolder();
  mkdirSync(join(folder, 'cases'));
  cpSync(study, join(folder, 'cases/learning-switch'), { recursive: true });
});

afterAll(() => removeFolder(folder));

const withoutVerdict = (out: string): string => out.slice(out.indexOf('\nreplayed '));

test('--mock repeats the messages of controllers, and finds the violation', () => {
  const { code, out, err } = culprit(folder, 'replay', trace, ...system, '--mock');
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toMatch(/^violated {2}noBlackholes: s1 loses packets of h2/);
  expect(withoutVerdict(out)).toMatchInlineSnapshot(`
    "
    replayed  cases/learning-switch/best/keeps.trace with mock controllers: 27 of 27 events happened
    mocked    6 messages of controllers, as recorded; what they get has no effect
    "
  `);
});

test('--without leaves out a message, and --json says so', () => {
  const { code, out } = culprit(folder, 'replay', trace, ...system, '--mock', '--without', 'flow_mod', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    verdict: { verdict: 'holds' },
    mock: { messagesLeftOut: 2, inputsLeftOut: 0 },
  });
});

test('--step-at continues by hand: undo, look, inject', () => {
  const script = 'flows s1\nundo\nping h2 h1\n';
  const { code, out, err } = culpritReading(
    script,
    folder,
    'replay',
    trace,
    ...system,
    '--mock',
    '--step-at',
    'violation',
  );
  expect(err).toBe('');
  expect(out).toContain('violated  noBlackholes: ');
  expect(out).toMatch(/> flows s1\n.*dl_src h2, dl_dst h1 → output 2/);
  expect(out).toMatch(/> ping h2 h1\n.*lets h2 ping h1/);
  expect(code).toBe(0);
});

test('without --mock, --step-at runs the controller', () => {
  const { out } = culpritReading('state c1\n', folder, 'replay', trace, ...system, '--step-at', '12');
  expect(out).toMatch(/> state c1\n.*ports/);
});

test.each([
  [['--without', 'flow_mod'], '--without needs --mock.'],
  [['--step-at', 'start'], 'Use violation, end, or the number of an event.'],
])('refuses %s', (args, message) => {
  const { code, err } = culprit(folder, 'replay', trace, ...args);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('refuses a folder', () => {
  expect(culprit(folder, 'replay', 'cases/learning-switch/best', '--mock')).toMatchObject({ code: 2 });
});
