import { expect, test } from 'vitest';
import type { Candidate } from './minimize/pass.ts';
import type { Rules } from './minimize/rules.ts';
import { actors } from './targets/actors/target.ts';
import { resolveSystem } from './targets/actors/resolve.ts';
import { behaviour, defineSystem } from './targets/actors/system.ts';
import { digestText } from './trace/digest.ts';
import { Trials } from './trials.ts';

const nobody = behaviour<object, never>({ start: () => ({}), receive() {} });
const system = resolveSystem(defineSystem({ processes: { a: nobody } }));
const rules: Rules = { keeps: () => false, atom: () => undefined, shrink: () => [], processes: ['a'], peers: [] };

test('what came to nothing is not tried again, until something else is looked for', async () => {
  let sought = 'another';
  const trials = new Trials({
    target: actors(system),
    oracle: {
      judge: (world) =>
        world.length === 0
          ? { kind: 'holds' }
          : { kind: 'violated', oracle: 'empty', message: 'a is there', processes: [], fingerprint: 'empty' },
    },
    seed: 1,
    handlerMs: 1_000,
    contentOf: (message) => message,
    rules,
    isSame: ({ fingerprint }) => fingerprint === sought,
    onOther: () => {},
  });
  const candidate: Candidate = {
    events: [{ kind: 'start', process: 'a', cause: -1, ...digestText('a') }],
    likeness: 'content',
    targets: new Map(),
  };
  const ask = async () => [(await trials.ask(candidate)).failing?.events.length, trials.schedules];

  expect(await ask()).toEqual([undefined, 1]);
  sought = 'empty';
  expect(await ask()).toEqual([undefined, 1]);
  trials.forget();
  expect(await ask()).toEqual([1, 2]);
});
