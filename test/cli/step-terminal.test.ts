import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine, culprit, folderWith } from './culprit.ts';
import { Terminal } from './terminal.ts';

const [CTRL_C, CTRL_D, CTRL_U, TAB, ENTER, UP] = ['\u0003', '\u0004', '\u0015', '\t', '\r', '\u001b[A'];

/** The end of the screen. */
const PROMPT = /\n>$/;

const ENDLESS = `import { behavior, defineSystem } from 'culprit';
  const a = behavior({
    start(ctx) { ctx.send('a', 'on'); return { n: 0 }; },
    receive(state, message, ctx) { state.n += 1; ctx.send('a', message); },
  });
  export default defineSystem({ processes: { a } });`;

const stepping = (folder: string, file: string, columns = 80): Terminal =>
  new Terminal(folder, commandLine('step', file), columns, 30);

const savedIn = (folder: string): string[] =>
  existsSync(join(folder, '.culprit')) ? readdirSync(join(folder, '.culprit')) : [];

test('on a terminal a user sees the enabled events, chooses, completes, repeats, and leaves with everything saved', async () => {
  const folder = folderWith();
  const terminal = stepping(folder, 'lock.system.ts');
  await terminal.shows(/client-3 {2}timer enough fires\n>$/);
  expect(terminal.screen.text).toBe(
    [
      'step      lock.system.ts, seed 0',
      '  1  lock      starts  holder: null',
      '  2  client-1  starts  phase: waiting',
      '  3  client-2  starts  phase: waiting',
      '  4  client-3  starts  phase: waiting',
      'choose    1  lock      gets acquire from client-1',
      '          2  client-1  timer enough fires',
      '          3  lock      gets acquire from client-2',
      '          4  client-2  timer enough fires',
      '          5  lock      gets acquire from client-3',
      '          6  client-3  timer enough fires',
      '>',
    ].join('\n'),
  );
  expect(terminal.screen.hasColors).toBe(true);
  // Words of an enabled event are completed to its whole text; a name is completed.
  await terminal.shows('> lock gets acquire from client-2', `acquire client-2${TAB}`);
  await terminal.shows('> crash lock', `${CTRL_U}crash lo${TAB}`);
  // Typed text is discarded, and the session continues.
  await terminal.shows(/Ctrl-D or `quit` saves.*\n>$/, CTRL_C);
  await terminal.shows(/ {2}5 {2}lock {2}gets acquire from client-1[^>]*\n>$/, `1${ENTER}`);
  await terminal.shows(/error {5}nothing that can happen is “fly”[^>]*\n>$/, `fly${ENTER}`);
  // An empty line repeats the last command.
  await terminal.shows(/undone {4}1 event\n {2}5[^>]*\n>$/, `undo${ENTER}`);
  await terminal.shows(/undone {4}1 event\n {2}4[^>]*\n>$/, ENTER);
  await terminal.shows(/> run 2\n[^>]*\n>$/, `run 2${ENTER}`);
  await terminal.shows(/\n> run 2$/, UP);
  await terminal.shows(PROMPT, CTRL_U);
  terminal.type(CTRL_D);
  expect(await terminal.end()).toBe(0);
  const [saved = '', ...others] = savedIn(folder);
  expect(others).toEqual([]);
  expect(terminal.screen.text).toContain(`saved     .culprit/${saved}`);
  expect(culprit(folder, 'replay', `.culprit/${saved}`).out).toContain('replayed  reproduced');
});

test('Ctrl-C ends a long run, not the session', async () => {
  const folder = folderWith({ 'endless.ts': ENDLESS });
  const terminal = stepping(folder, 'endless.ts');
  await terminal.shows('choose    1  a  gets on from a');
  terminal.type(`run 1000000000${ENTER}`);
  setTimeout(() => terminal.type(CTRL_C), 500);
  await terminal.shows(/stopped {3}after [\d,]+ events: `undo \d+` takes them back/);
  await terminal.shows(/undone {4}[\d,]+ events[\s\S]*choose {4}1 {2}a {2}gets on from a\n>$/, `undo all${ENTER}`);
  terminal.type(`quit${ENTER}`);
  expect(await terminal.end()).toBe(0);
  // There was nothing to save.
  expect(savedIn(folder)).toEqual([]);
});

test('long lines continue below, for any width of the terminal', async () => {
  for (const columns of [80, 120]) {
    const terminal = stepping(folderWith(), 'lock.system.ts', columns);
    await terminal.shows(PROMPT);
    await terminal.shows('keep ', `help${ENTER}`);
    await terminal.shows('client-2, client-3.', `crash somebody${ENTER}`);
    const lines = terminal.screen.text.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    // Broken between words, aligned with the text.
    expect(terminal.screen.text).toMatch(/error {5}environment: there is no process called "somebody": the/);
    for (const line of lines) expect(line).not.toMatch(/^, /);
    terminal.type(CTRL_D);
    expect(await terminal.end()).toBe(0);
  }
});

test('a session that code outside of any event ends leaves a script of its commands', async () => {
  const system = `import { behavior, defineSystem } from 'culprit';
    const a = behavior({
      start: () => ({}),
      receive() { setTimeout(() => { throw new Error('later'); }, 300); },
    });
    export default defineSystem({ processes: { a } });`;
  const folder = folderWith({ 'leaky.ts': system });
  const terminal = stepping(folder, 'leaky.ts');
  await terminal.shows(PROMPT);
  await terminal.shows('a  gets x from environment', `send a "x"${ENTER}`);
  await terminal.shows('kept ', `1${ENTER}`);
  expect(await terminal.end()).toBe(2);
  const [kept = ''] = savedIn(folder).filter((name) => name.endsWith('.txt'));
  expect(readFileSync(join(folder, '.culprit', kept), 'utf8')).toBe('send a "x"\na gets x from environment\n');
});

test('the steps are not lost with the terminal', async () => {
  const folder = folderWith();
  const terminal = stepping(folder, 'lock.system.ts');
  await terminal.shows(PROMPT);
  await terminal.shows(/ {2}5 {2}lock {2}gets acquire from client-1[^>]*\n>$/, `1${ENTER}`);
  terminal.close();
  // As a trace if there is time for it, or else as the typed commands.
  await expect.poll(() => savedIn(folder).length, { timeout: 100_000 }).toBe(1);
  const path = join(folder, '.culprit', savedIn(folder)[0] as string);
  await expect.poll(() => readFileSync(path, 'utf8'), { timeout: 100_000 }).toContain('acquire');
  const [kept, expected] = path.endsWith('.txt')
    ? [readFileSync(path, 'utf8'), /^lock gets acquire from client-1\n$/]
    : [culprit(folder, 'replay', path).out, /replayed {2}reproduced/];
  expect(kept).toMatch(expected);
});

test('a trace is followed, left, and continued', async () => {
  const folder = folderWith();
  culprit(folder, 'hunt', 'lock.system.ts');
  const trace = '.culprit/mutual-exclusion-8dfc.min.trace';
  const terminal = stepping(folder, trace, 120);
  await terminal.shows(`following ${trace} (11 events: \`next\`)`);
  await terminal.shows(/5 {2}lock {6}gets acquire from client-1.*[\s\S]*recorded as 7/, `next 5${ENTER}`);
  await terminal.shows('6  client-3  timer enough fires', `client-3 enough${ENTER}`);
  await terminal.shows(
    /recorded {2}\d events? left, none of them enabled now|every recorded event has happened/,
    `next all${ENTER}`,
  );
  terminal.type(`quit${ENTER}`);
  expect(await terminal.end()).toBe(0);
});
