import { expect, inject, test } from 'vitest';
import { culprit, folderWith } from '../cli/culprit.ts';
import { exampleOf } from '../guide-with-programs.ts';

test('the example of the guide prints its documented output', () => {
  const { printed, documented } = exampleOf('docs/guide/controllers.md', 'ovs-testcontroller');
  expect(printed).toEqual(documented);
});

test("a newcomer finds the blackhole of Open vSwitch's controller with two commands", () => {
  const found = inject('programs').testcontroller;
  if ('problem' in found) throw new Error(found.problem);
  const folder = folderWith();
  expect(culprit(folder, 'init', '--network').code).toBe(0);
  const { code, out } = culprit(
    folder,
    'hunt',
    'network.system.js',
    '--executions',
    '8',
    '--no-minimize',
    '--no-control',
  );
  expect([code, out]).toEqual([1, expect.stringContaining('violated  blackholes: ') as string]);
});
