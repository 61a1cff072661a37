import { expect, test } from 'vitest';
import { explainLines } from 'culprit/report';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';

const file = 'packages/of-some-length/src/locks/lock.system.ts';

test('places are below the steps and keep to the width, with the process named if not all have the same', async () => {
  const trace = await found(lock);
  const places = trace.events.map(({ process, kind }) => {
    if (kind !== 'start') return process === 'lock' ? `${file}:24` : null;
    return process === 'client-3' ? undefined : `${file}:${process === 'lock' ? 23 : 6}`;
  });
  const lines = explainLines(trace, { width: 80, places });
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.slice(3, 12)).toEqual([
    '  1–4  lock, client-1, client-2, client-3 start',
    '             lock {holder: null}, client-1, client-2, client-3 {phase: waiting}',
    `           at ${file}:23 (lock),`,
    `           ${file}:6 (client-1,`,
    '           client-2)',
    '    5  lock      gets acquire from client-2  holder: null → client-2',
    `                 at ${file}:24`,
    '    6  client-2  gets granted from lock      phase: waiting → holding',
    '    7  client-1  timer enough fires          phase: waiting → done',
  ]);
});

test('a bad list of places is refused', async () => {
  const trace = await found(lock);
  expect(() => explainLines(trace, { places: [5] as never })).toThrow('places[0] is a text, or null, not 5.');
});
