import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Newcomer, removeMarkedLine, run, type } from './newcomer.ts';

const story = (found: string, original: string): string =>
  `violated  chargedOnce: the book is charged twice
          12 events → 7, … schedules, shortest

  1–2  shop, bank start                              shop {orders: {}}, bank {charges: []}
  3–4  shop  gets buy (order book) from environment  orders + {book: unpaid}
    5  bank  gets charge (order book) from shop      charges + [book]
    6  shop  timer ask again fires
    7  bank  gets charge (order book) from shop      charges + [book]

found     ${found}
saved     .culprit/charged-once-b0ec.min.trace${original}
view      npx culprit view .culprit/charged-once-b0ec.min.trace
explain   npx culprit explain .culprit/charged-once-b0ec.min.trace
replay    npx culprit replay .culprit/charged-once-b0ec.min.trace`;

const asFound = '\n          .culprit/charged-once-b0ec.trace, before minimizing';

/** The stories in the output of a runner, unindented, and the rest. */
function storiesIn(printed: string): { stories: string[]; rest: string } {
  const stories: string[] = [];
  const rest = printed.replaceAll(/^.*violated {2}[^]*?replay {4}.*$/gm, (block) => {
    const [, margin = ''] = /^( *)found {5}/m.exec(block) ?? [];
    const [first = '', ...others] = block.split('\n');
    const moved = others.map((line) => line.slice(margin.length).trimEnd());
    const text = [first.slice(first.indexOf('violated')), ...moved].join('\n');
    // Leaves out the number of schedules, which the tests of passes pin, and why, which has a time limit.
    stories.push(text.replace(/\d+ schedules/, '… schedules').replace(/\nwhy {7}.*/, ''));
    return '';
  });
  return { stories, rest };
}

/** Anything that looks like a line of ours, a stack frame of ours, or the trace printed as an object. */
const noise =
  /^\W*(hunt|hunting|nothing|tried|coverage|reached|violated|found|saved|replay|replayed) {2}|culprit\/(dist|src)\/|trace: *[{[]|Serialized/m;

/** A busy machine may need more than the 5 s that the runners give a test. */
const PATIENCE = '--testTimeout=100000';

let newcomer: Newcomer;

beforeAll(() => {
  newcomer = new Newcomer();
});

afterAll(() => newcomer.leave());

describe.each([
  {
    runner: 'Vitest',
    folder: 'with-vitest',
    example: 'vitest',
    extension: 'ts',
    command: 'npx vitest run',
    patience: ` ${PATIENCE}`,
    remark: '',
  },
  {
    runner: 'Jest',
    folder: 'with-jest',
    example: 'jest',
    extension: 'js',
    command: 'npx --node-options=--experimental-vm-modules jest --runTestsByPath',
    patience: ` ${PATIENCE}`,
    remark: '          Jest runs ES modules only with that flag: add it to your test script.\n',
  },
  // The name must be escaped in a URL, and looks like the end of a stack frame.
  {
    runner: 'node:test',
    folder: '100% (new)',
    example: 'node-test',
    extension: 'js',
    command: 'node --test',
    patience: '',
    remark: '',
  },
])('a newcomer with $runner', ({ runner, folder: name, example, extension, command, patience, remark }) => {
  const [system, file] = [`payment.system.${extension}`, `payment.test.${extension}`];
  let folder: string;

  beforeAll(() => {
    folder = newcomer.package(name, example);
  });

  test('learns from init what to type, and it works', () => {
    // `npx` itself is the same for all of them.
    const { code, text } = (runner === 'Vitest' ? type : run)(folder, 'npx culprit init');
    expect(code).toBe(0);
    expect(text).toBe(`wrote     ${system}  a shop, a bank, and a lossy network between them
wrote     ${file}    a test that hunts in it, for ${runner}

next      ${command} ${file}
          npx culprit hunt ${system}

          They find nothing until you remove the line marked "Try it" from ${system}.
          Findings are saved in .culprit/. Commit that folder: tests replay its traces first.
${remark}`);
    const passed = type(folder, `${command} ${file}${patience}`);
    expect(passed.code).toBe(0);
    expect(passed.text).toMatch(/\b1 passed|\bpass 1\b/);
    expect(passed.text).not.toMatch(noise);
  });

  test('breaks the system, and gets the story, the file, and the command that works', () => {
    removeMarkedLine(join(folder, system));
    const failed = run(folder, `${command} ${file}${patience}`);
    expect(failed.code).not.toBe(0);
    const { stories, rest } = storiesIn(failed.text);
    expect(new Set(stories)).toEqual(new Set([story('by seed 2, pct', asFound)]));
    expect(rest).not.toMatch(noise);
    // The line of the test that hunts.
    expect(rest).toMatch(new RegExp(`${file}:${runner === 'Jest' ? 10 : 8}:9`));
    const replayed = run(folder, 'npx culprit replay .culprit/charged-once-b0ec.min.trace');
    expect(replayed.code).toBe(1);
    expect(replayed.text).toContain('all 7 events of ');
  });

  test('tries again, and gets the same from the file', () => {
    const failed = type(folder, `npm test --${patience}`);
    expect(failed.code).not.toBe(0);
    const { stories, rest } = storiesIn(failed.text);
    expect(new Set(stories)).toEqual(new Set([story('earlier, by seed 2, pct', '')]));
    expect(rest).not.toMatch(noise);
  });
});

test('the files of init work from the command line, and type-check', () => {
  const folder = newcomer.package('strict', 'vitest');
  run(folder, 'npx culprit init');
  const { code, text } = run(folder, 'npx culprit hunt payment.system.ts');
  expect(code).toBe(0);
  expect(text).toContain('nothing   found in 10,000 executions, 124,698 events');
  expect(text).toContain('reached   1 of 1 sometimes: lampIsShipped');
  const strict = '--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --skipLibCheck';
  const checked = run(folder, `npx tsc ${strict} --module nodenext --target es2022 payment.test.ts`);
  expect(checked).toEqual({ code: 0, text: '' });
});

test('Jest gives every file a context of its own, and culprit works there', () => {
  const folder = newcomer.package('contexts', 'jest');
  const source = fileURLToPath(new URL('contexts.jest.js', import.meta.url));
  for (const name of ['one.test.js', 'two.test.js']) cpSync(source, join(folder, name));
  // Both files in one process, which prints its number of threads at the end.
  const counting =
    'let threads = 0; process.on("worker", () => threads++); process.on("exit", () => console.log("threads:", threads));';
  const node = `node --import 'data:text/javascript,${encodeURIComponent(counting)}' --experimental-vm-modules`;
  const { code, text } = type(folder, `${node} node_modules/jest/bin/jest.js --runInBand ${PATIENCE}`);
  expect(text).toContain('Tests:       8 passed, 8 total');
  expect(text).toContain('threads: 1\n');
  expect(code).toBe(0);
});
