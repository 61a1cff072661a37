import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.ts';

/** Prints while it is loaded, in handlers and in an invariant; `bug` decides whether an invariant is violated. */
const loud = `
  import { behavior, defineSystem, send } from 'culprit';
  console.log('loading');
  process.stdout.write('written\\n');
  const a = behavior({
    start: () => ({ got: 0 }),
    async receive(state, message, ctx) {
      console.log('got', message);
      await ctx.sleep(1);
      process.stdout.write('slept\\n');
      state.got += 1;
    },
  });
  export default defineSystem({ bug: false }, ({ bug }) => {
    console.log('defining');
    return defineSystem({
      processes: { a },
      workload: [send('a', 'x'), send('a', 'y')],
      invariants: { fewer: (world) => { console.log('asking'); return !bug || world.up(a).every(({ state }) => state.got < 2); } },
    });
  });`;

const hunted = ['hunt', 'loud.system.js', '--json', '--executions'];

test('prints of a system in a thousand executions are not in the output, with any number of workers', () => {
  const folder = folderWith({ 'loud.system.js': loud });
  for (const [workers, executions] of [
    ['1', 1_000],
    ['2', 200],
  ] as const) {
    const { code, out, err } = culprit(folder, ...hunted, `${executions}`, '--workers', workers);
    expect({ code, err }).toEqual({ code: 0, err: 'loading\nwritten\ndefining\n' });
    expect(JSON.parse(out)).toMatchObject({ executions });
    expect(out.split('\n').length).toBe(2);
  }
});

test('prints of a handler are shown at its event, in the found trace and in its replay', () => {
  const folder = folderWith({ 'loud.system.js': loud });
  const found = culprit(folder, ...hunted, '10', '--set', 'bug=true');
  expect({ code: found.code, err: found.err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^loading\nwritten\n(defining\n)+$/) as unknown,
  });
  expect(found.out.split('\n').length).toBe(2);
  const trace = readdirSync(join(folder, '.culprit')).find((name) => name.endsWith('.min.trace')) as string;
  const { code, out, err } = culprit(folder, 'replay', join('.culprit', trace));
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^loading\nwritten\n(defining\n)+$/) as unknown,
  });
  expect(out).toMatch(/ gets x from environment; logs "got x"\n/);
  expect(out).toMatch(/ wakes; logs "slept" /);
  expect(out).not.toMatch(/^(got|slept|asking|defining|loading|written)/m);
});

test('--verbose shows them on standard error as they happen, also those of workers', () => {
  const folder = folderWith({ 'loud.system.js': loud });
  const { code, out, err } = culprit(folder, ...hunted, '100', '--verbose', '--workers', '2');
  expect(code).toBe(0);
  expect(out.split('\n').length).toBe(2);
  expect(err).toMatch(/^loading\nwritten\ndefining\nasking\nasking\n/);
  expect(err).toContain('a, event 3: got x\n');
  expect(err.match(/event \d+: got y\n/g)?.length).toBeGreaterThanOrEqual(100);
});
