import { describe, expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.ts';

describe('culprit hunt', () => {
  test('uses the given weights instead of those that the system declares', () => {
    const system = `import { behavior, defineSystem } from 'culprit';
      const a = behavior({
        start(ctx) { ctx.repeatTimer('tick', 1); ctx.send('a', 'on'); return {}; },
        receive(_state, message, ctx) { ctx.send('a', message); },
      });
      export default defineSystem({ processes: { a }, weights: { fire: 3 } });`;
    const folder = folderWith({ 'busy.ts': system });
    const timers = (...args: string[]): number => {
      const { out } = culprit(folder, 'hunt', 'busy.ts', '--executions', '20', '--events', '101', '--json', ...args);
      const { coverage } = JSON.parse(out) as { coverage: { kinds: Record<string, number> } };
      return coverage.kinds['fire'] ?? 0;
    };
    // Of 2,000 events, by random choice: three of four, one of four, one of five.
    const random = ['--strategy', 'random'];
    expect(timers(...random)).toBe(1503);
    expect(timers(...random, '--weight', 'deliver=3', '--weight', 'fire=1')).toBe(503);
    expect(timers(...random, '--weight', 'deliver=1')).toBe(397);
    expect(timers('--weight', 'fire=0')).toBe(0);
  });
});

describe('culprit hunt, given', () => {
  const kinds = ['deliver', 'return', 'fire', 'complete', 'spawn', 'external'];
  const WEIGHTS = `Use kind=number, such as --weight deliver=5: one of ${kinds.join(', ')}, and 0 or more.`;

  test.each([
    ['a weight of nothing', ['lock.system.ts', '--weight', 'timer=2'], WEIGHTS],
    ['a weight that is no number', ['lock.system.ts', '--weight', 'fire=often'], WEIGHTS],
    ['a weight without a number', ['lock.system.ts', '--weight', 'fire='], WEIGHTS],
    ['a weight below 0', ['lock.system.ts', '--weight', 'fire=-1'], WEIGHTS],
    [
      'no weight at all',
      ['lock.system.ts', ...kinds.flatMap((kind) => ['--weight', `${kind}=0`])],
      'all weights are 0: nothing could be chosen.',
    ],
  ])('%s, reports it and exits with 2', (_what, args, problem) => {
    const { code, out, err } = culprit(folderWith(), 'hunt', ...args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(problem) as unknown });
    expect(out).not.toContain('violated');
  });
});

test.each([
  ['hunt', '--seed', '-1', 0],
  ['hunt', '--seed', 'x', 0],
  ['hunt', '--seed', '9007199254740992', 0],
  ['hunt', '--executions', '0', 1],
  ['hunt', '--seconds', '0', 1],
  ['hunt', '--violations', '0', 1],
  ['hunt', '--events', '0', 1],
  ['hunt', '--events', '2.5', 1],
  ['hunt', '--workers', '0', 1],
  ['hunt', '--workers', 'all', 1],
  ['step', '--seed', '-1', 0],
  ['step', '--events', '0', 1],
  ['doctor', '--seed', '', 0],
  ['doctor', '--executions', '0', 1],
])('culprit %s %s %j: the message names the flag as typed, and the exit code is 2', (command, flag, value, least) => {
  const { code, out, err } = culprit(folderWith(), command, 'lock.system.ts', flag, value);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  const orAuto = flag === '--workers' ? ', or auto' : '';
  expect(err).toBe(
    `error     option '${flag} <n>' argument '${value}' is invalid.\nnext      Use a whole number, ${least} or more${orAuto}.\n`,
  );
});

test.each([
  [
    ['hunt', 'lock.system.ts', '--exections', '3'],
    'error     unknown option --exections: did you mean --executions?\nnext      Check the spelling: --help lists the commands and options.\n',
  ],
  [
    ['hunt', 'lock.system.ts', '--bogus'],
    'error     unknown option --bogus.\nnext      Check the spelling: --help lists the commands and options.\n',
  ],
  [
    ['view', 'it.trace', '--out', 'it.html'],
    'error     view shows the page, and writes no file.\nnext      Write the page with: npx culprit export it.trace --to html --out it.html\n',
  ],
  [
    ['hnt', 'lock.system.ts'],
    'error     unknown command hnt: did you mean hunt?\nnext      Check the spelling: --help lists the commands and options.\n',
  ],
  [
    ['hunt', 'lock.system.ts', '--set', 'checkOwner=true'],
    'error     the system has no parameter called checkOwner: did you mean checksOwner?\nnext      Check the spelling of --set.\n',
  ],
])('culprit %j: suggests a correction, and the exit code is 2', (args, problem) => {
  const { code, err } = culprit(folderWith(), ...args);
  expect({ code, err }).toEqual({ code: 2, err: problem });
});
