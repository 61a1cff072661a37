import { expect, test } from 'vitest';
import { resolveSystem } from '../../system/resolve.ts';
import { controllersAlive } from '../invariants/controllers.ts';
import { noLoops } from '../invariants/no-loops.ts';
import { send } from '../../system/externals.ts';
import { failControl, recoverControl } from '../switch/switch-faults.ts';
import { linear } from '../topology/line.ts';
import { defineNetwork } from './define-network.ts';

test('the end of controllers is judged before all else', () => {
  const [loops, alive] = [noLoops(), controllersAlive()];
  const system = defineNetwork({ topology: linear(2), controllers: {}, invariants: { loops, alive } });
  expect([...resolveSystem(system).oracles.keys()]).toEqual(['alive', 'loops']);
});

test('a control failure and its recovery are one group, and a recovery of another switch is none', () => {
  const { hints } = resolveSystem(defineNetwork({ topology: linear(2), controllers: {} }));
  expect(hints.undoes(failControl('s1'), recoverControl('s1'))).toBe(true);
  expect(hints.undoes(failControl('s1'), recoverControl('s2'))).toBe(false);
  expect(hints.undoes(recoverControl('s1'), failControl('s1'))).toBe(false);
  expect(hints.undoes(send('s1', null), recoverControl('s1'))).toBe(false);
});
