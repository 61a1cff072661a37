import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine, culprit, folderWith } from './culprit.ts';
import { Terminal } from './terminal.ts';

const [CTRL_C, CTRL_D, ENTER] = ['\u0003', '\u0004', '\r'];

/** Executions without an end of their own, which only a user violates. */
const ENDLESS = `import { behavior, defineSystem } from 'culprit';
  const a = behavior<{ n: number; last: string }, string>({
    start(ctx) { ctx.send('a', 'on'); return { n: 0, last: '' }; },
    receive(state, message, ctx) { state.n += 1; state.last = message; if (message === 'on') ctx.send('a', message); },
  });
  export default defineSystem({
    processes: { a },
    invariants: { quiet: (world) => world.up(a).every(({ state }) => state.last !== 'loud') },
  });`;

const hunt = ['hunt', 'endless.ts', '--events', '5000', '--no-minimize', '--step-on-interrupt'];

const hunting = (folder: string): Terminal => new Terminal(folder, commandLine(...hunt), 100, 30);

/** The prompt of a session that began in a hunt. */
const STOPPED = /step {6}in the execution of seed \d+, after event \d+\n[^>]*\n>$/;

test('Ctrl-C stops a hunt between two events, and Ctrl-D resumes it with what the user did', async () => {
  const folder = folderWith({ 'endless.ts': ENDLESS });
  const terminal = hunting(folder);
  await terminal.shows(/hunting {3}.*found/);
  await terminal.shows(STOPPED, CTRL_C);
  await terminal.shows(/error {5}the hunt continues from here[^>]*\n>$/, `undo${ENTER}`);
  await terminal.shows(/a {2}gets loud from environment[^>]*\n>$/, `send a "loud"${ENTER}`);
  // The hunt delivers the message.
  terminal.type(CTRL_D);
  expect(await terminal.end()).toBe(1);
  const [found = ''] = readdirSync(join(folder, '.culprit'));
  expect(terminal.screen.text).toMatch(/violated {2}quiet: does not hold[^]*gets loud from environment/);
  expect(terminal.screen.text).toContain(`saved     .culprit/${found}`);
  expect(culprit(folder, 'replay', `.culprit/${found}`).out).toContain('replayed  reproduced');
});

test('Ctrl-C in the steps ends a run, then the hunt, and what the user did is saved', async () => {
  const folder = folderWith({ 'endless.ts': ENDLESS });
  const terminal = hunting(folder);
  await terminal.shows(/hunting {3}.*found/);
  await terminal.shows(STOPPED, CTRL_C);
  // Nothing has happened by hand, and the hunt is resumed.
  await terminal.shows(/hunting {3}[^\n]*found[^\n]*$/, CTRL_D);
  await terminal.shows(STOPPED, CTRL_C);
  terminal.type(`run 1000000000${ENTER}`);
  await terminal.shows('> run 1000000000');
  await terminal.shows(/stopped {3}after [\d,]+ events?\n[^>]*>$/, CTRL_C);
  terminal.type(CTRL_C);
  expect(await terminal.end()).toBe(130);
  expect(terminal.screen.text).toMatch(/stopped {3}after \d+ of 10,000 executions/);
  const [saved = ''] = readdirSync(join(folder, '.culprit'));
  expect(terminal.screen.text).toContain(`saved     .culprit/${saved}`);
});

test('without a terminal, and with executions side by side, there is nothing to step in', () => {
  const folder = folderWith({ 'endless.ts': ENDLESS });
  const piped = culprit(folder, ...hunt);
  expect(piped).toMatchObject({ code: 2, out: '' });
  expect(piped.err).toBe(
    `error     --step-on-interrupt reads commands from a terminal and prints to it.
next      Run the hunt on a terminal, without --json.
`,
  );
  expect(culprit(folder, ...hunt, '--workers', '2')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('Omit --workers, --jobs and --fleet.') as string,
  });
});
