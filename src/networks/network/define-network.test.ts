import { expect, test } from 'vitest';
import { resolveSystem } from '../../system/resolve.ts';
import { controllersAlive } from '../invariants/controllers.ts';
import { noLoops } from '../invariants/no-loops.ts';
import { linear } from '../topology/line.ts';
import { defineNetwork } from './define-network.ts';

test('the end of controllers is judged before all else', () => {
  const [loops, alive] = [noLoops(), controllersAlive()];
  const system = defineNetwork({ topology: linear(2), controllers: {}, invariants: { loops, alive } });
  expect([...resolveSystem(system).oracles.keys()]).toEqual(['alive', 'loops']);
});
