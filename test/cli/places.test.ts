import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.ts';

const payment = `import { behaviour, defineSystem, send } from 'culprit';

function charge(amount: number): void {
  if (amount > 1) throw new Error('declined');
}

const bank = behaviour<object, number>({
  start: () => ({}),
  receive(_state, amount) {
    charge(amount);
  },
});

export default defineSystem({ processes: { bank }, workload: [send('bank', 2)] });
`;

test('an exception has places: in the story, the trace, for machines, and where it is explained', () => {
  const folder = folderWith({ 'payment.ts': payment });
  const { out } = culprit(folder, 'hunt', 'payment.ts');
  expect(out).toContain(
    'violated  noUncaughtException: bank threw Error: declined\n' +
      '          at payment.ts:4:25\n' +
      '          at payment.ts:10:5\n',
  );
  const path = /^again .*replay (.*)$/m.exec(out)?.[1] as string;
  const verdict = JSON.parse(readFileSync(join(folder, path), 'utf8').trimEnd().split('\n').at(-1) as string) as object;
  const at = ['payment.ts:4:25', 'payment.ts:10:5'];
  const fingerprint = 'noUncaughtException bank Error: declined';
  expect(verdict).toMatchObject({ verdict: 'violated', at, fingerprint });
  const { out: json } = culprit(folder, 'explain', path, '--json', '--no-why');
  expect(JSON.parse(json)).toMatchObject({ trace: { verdict: { at } } });
  // From another folder, as an editor opens it; and lines that have moved make no other bug.
  const elsewhere = culprit(join(folder, '.culprit'), 'explain', join('..', path), '--no-why');
  expect(elsewhere.out).toContain('          at ../payment.ts:4:25\n');
});
