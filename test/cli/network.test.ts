import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { culprit, culpritReading, makeFolder, removeFolder } from './culprit.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
  for (const name of ['os-ken-migration', 'testcontroller-migration'])
    cpSync(
      fileURLToPath(new URL(`../../cases/controllers/best/${name}.trace`, import.meta.url)),
      join(folder, `${name}.trace`),
    );
  culpritReading('1\nsave lock.trace\n', folder, 'step', 'lock.system.ts');
});

afterAll(() => removeFolder(folder));

const network = (...args: readonly string[]) => culprit(folder, 'network', 'os-ken-migration.trace', ...args);

test('--path follows one packet', () => {
  const { code, out, err } = network('--path', '29');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(`\n${out}`).toMatchInlineSnapshot(`
    "
        30  environment → s1  ping h1 → h2 at port 2
            matches no flow entry
        31  s1 → c1  packet_in (ping h1 → h2 at port 2, buffer 2)
        33  c1 → s1  packet_out (buffer 2: output 1)
        34  s1 → s2  ping h1 → h2 at port 1
            matches no flow entry
        35  s2 → c1  packet_in (ping h1 → h2 at port 1, buffer 2)
        37  c1 → s2  packet_out (buffer 2: output 2)
    "
  `);
});

test('--flows names the flow_mods behind the violation', () => {
  expect(`\n${network('--flows', '--behind', 'violation').out}`).toMatchInlineSnapshot(`
    "
    s1: 1 of 1 flow_mod
        32  c1  flow_mod (port 2, dl_src h1, dl_dst h2 → output 1)
    s2: 1 of 1 flow_mod
        36  c1  flow_mod (port 1, dl_src h1, dl_dst h2 → output 2)
    "
  `);
  const { rows } = JSON.parse(network('--flows', '--behind', 's1,s2', '--json').out) as { rows: unknown };
  expect(rows).toMatchObject([
    { switch: 's1', total: 1, kept: [{ event: 32, from: 'c1' }] },
    { switch: 's2', total: 1, kept: [] },
  ]);
});

test('--configurations lists what changes, and compares two traces', () => {
  expect(`\n${network('--configurations').out}`).toMatchInlineSnapshot(`
    "
         1  0 facts
        20  1 fact
            + s2: port 2 is down
        32  2 facts
            + s1: port 2, dl_src h1, dl_dst h2 → output 1, priority 32768
        36  3 facts
            + s2: port 1, dl_src h1, dl_dst h2 → output 2, priority 32768
    "
  `);
  expect(`\n${network('testcontroller-migration.trace', '--configurations').out}`).toMatchInlineSnapshot(`
    "
      =       1|1  0 facts
      =     20|19  1 fact
      <        32  2 facts
                   + s1: port 2, dl_src h1, dl_dst h2 → output 1, priority 32768
      <        36  3 facts
                   + s2: port 1, dl_src h1, dl_dst h2 → output 2, priority 32768
      >        34  2 facts
                   + s1: port 2, exactly (ping h1 → h2) → output 1, priority 65535, idle timeout 60 s
      >        37  3 facts
                   + s2: port 1, exactly (ping h1 → h2) → output 2, priority 65535, idle timeout 60 s
    common    2 of 6 configurations
    "
  `);
});

test('counts events by kind, and refuses what makes no sense', () => {
  expect(network().out).toContain('input: migrate                       1\n');
  expect(network('--path', '1')).toMatchObject({ code: 2 });
  expect(network('--behind', 'violation').err).toContain('--behind needs --flows.');
  expect(network('--flows', '--behind', 's9').err).toContain('the topology has no switch "s9".');
});

test.each([
  ['a file that is not there', ['gone.trace'], 'gone.trace'],
  ['a file that is no trace', ['package.json'], 'package.json'],
  ['a trace of another system', ['lock.trace'], 'lock.trace is no trace of a network.'],
  ['an event that is not there', ['os-ken-migration.trace', '--path', '999'], '999'],
  [
    'another trace of another system',
    ['os-ken-migration.trace', 'lock.trace', '--configurations'],
    'lock.trace is no trace of a network.',
  ],
])('%s is refused with one sentence', (_name, args, sentence) => {
  const { code, out, err } = culprit(folder, 'network', ...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^error {5}.*\n/);
  expect(err).toContain(sentence);
  expect(err).not.toContain('    at ');
});
