import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, existsSync, openSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  countingSystem,
  culprit,
  folderWith,
  interrupted,
  makeFolder,
  MOMENT,
  removeFolder,
  started,
} from './culprit.ts';

/** Messages received in all executions until the signal: far more than loading and the first executions take. */
const LATE = 3_000;

const late = { at: MOMENT };

let folder: string;
let trace: string;

beforeAll(() => {
  folder = makeFolder();
  writeFileSync(join(folder, 'x.ts'), countingSystem(LATE));
  culprit(folder, 'hunt', 'x.ts', '--set', 'limit=40', '--set', 'nodes=14', '--no-minimize');
  const [name = ''] = readdirSync(join(folder, '.culprit'));
  trace = `.culprit/${name}`;
});

afterAll(() => removeFolder(folder));

/** A folder with the system, and a trace of it. */
function copied(): string {
  const copy = folderWith();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

const endless = ['hunt', 'x.ts', '--executions', '100000000', '--workers', '1'];

/** One execution that no hunt completes, and that prints its progress. */
const endlessExecution = `import { writeSync } from 'node:fs';
  import { behavior, defineSystem } from 'culprit';
  const a = behavior<{ n: number }, string>({
    start(ctx) { ctx.send('a', 'again'); return { n: 0 }; },
    receive(state, message, ctx) {
      state.n += 1;
      if (state.n === 1000) writeSync(2, 'after ' + state.n + '\\n');
      ctx.send('a', message);
    },
  });
  export default defineSystem({ processes: { a }, invariants: { any: () => true } });`;

/** The same, which also does this when it has come so far. */
const endlessAnd = (listens: string): string =>
  endlessExecution.replace('if (state.n === 1000)', `if (state.n === 1000) ${listens};\n      if (state.n === 1000)`);

const longHunt = ['hunt', 'endless.ts', '--events', '1000000000'];

describe('a second signal', () => {
  test('ends the command at once: it does not say how far it came', async () => {
    const itself = `process.once('SIGTERM', () => process.kill(process.pid, 'SIGTERM'))`;
    const copy = folderWith({ 'endless.ts': endlessAnd(itself) });
    const { code, out } = await interrupted(copy, { at: 'after 1000\n', signal: 'SIGTERM' }, ...longHunt);
    expect(code).toBe(143);
    expect(out).not.toContain('stopped');
  });

  test('ends the command also where it heard the first one, and code keeps it from hearing another', async () => {
    const blocked = `process.on('SIGINT', () => { writeSync(2, '${MOMENT}\\n'); for (;;); })`;
    const copy = folderWith({ 'endless.ts': endlessAnd(blocked) });
    const { code, err } = await interrupted(copy, { at: 'after 1000\n', again: MOMENT }, ...longHunt);
    expect(code).toBe(130);
    expect(err).toContain('\nstopped   by SIGINT, while ');
  });
});

describe('a signal', () => {
  test('stops a hunt: it says after how many executions, in JSON as well, and never that nothing was found', async () => {
    const { code, out } = await interrupted(folder, { ...late, signal: 'SIGTERM' }, ...endless, '--json');
    expect(code).toBe(143);
    expect(JSON.parse(out)).toMatchObject({ findings: [], interrupted: true, executionsMax: 100_000_000 });
    const { executions } = JSON.parse(out) as { executions: number };
    expect(executions).toBeGreaterThan(LATE / 10);
    expect(executions).toBeLessThan(100_000_000);
  });

  test('interrupts an execution that no hunt completes', async () => {
    const copy = folderWith({ 'endless.ts': endlessExecution });
    const { code, out } = await interrupted(copy, { at: 'after 1000\n' }, ...longHunt);
    expect(code).toBe(130);
    expect(out).toMatch(
      /\nstopped {3}after 0 of 10,000 executions, .*: no violation so far, so the verdict is unknown\n/,
    );
    expect(out).toContain(' --seed 0\n');
  });

  test('ends a handler that does not return, and names its process', async () => {
    const copy = folderWith({
      'loop.ts': endlessExecution.replace('state.n === 1000', 'true').replace("ctx.send('a', message)", 'for (;;)'),
    });
    const looping = { at: 'after 1\n', signal: 'SIGTERM' } as const;
    const { code, err } = await interrupted(copy, looping, 'check', 'loop.ts');
    expect(code).toBe(143);
    expect(err).toContain('\nstopped   by SIGTERM, while a, in event 2, at loop.ts:8:');
  });

  test('ends a module that does not finish loading', async () => {
    const top = `import { writeSync } from 'node:fs'; setTimeout(() => { writeSync(2, '${MOMENT}\\n'); for (;;); }, 1_500);`;
    const copy = folderWith({ 'top.ts': `${top}\nawait new Promise(() => {});` });
    const { code, err } = await interrupted(copy, late, 'hunt', 'top.ts');
    expect(code).toBe(130);
    expect(err).toMatch(/^MOMENT\nstopped {3}by SIGINT, while the system at top\.ts:1:\d+ ran\n$/);
  });

  test('keeps the findings of a hunt, which are its result', async () => {
    const copy = copied();
    const found = ['hunt', 'x.ts', '--set', 'limit=4', '--violations', '2', '--executions', '100000000'];
    const { code, out } = await interrupted(copy, late, ...found, '--workers', '1');
    expect(code).toBe(1);
    expect(out).toContain('violated  limited: does not hold\n');
    expect(out).toMatch(/\nstopped {3}after [\d,]+ of 100,000,000 executions, .*: 1 of 2 violations found so far\n/);
    expect(out).toMatch(/\nstopped {3}before it was minimal: npx culprit minimize \.culprit\/limited-/);
    expect(readdirSync(join(copy, '.culprit')).filter((name) => name.endsWith('.trace'))).toHaveLength(2);
  });

  test('stops a doctor, which does not report a healthy system', async () => {
    const { code, out } = await interrupted(folder, late, 'doctor', 'x.ts', '--executions', '1000000');
    expect(code).toBe(130);
    expect(out).toContain('\nunknown   stopped after 3 results (0 problems, 0 warnings), ');
    expect(out).not.toContain('healthy');
  });

  test('stops explain, which prints the story without the reason', async () => {
    const { code, out } = await interrupted(folder, late, 'explain', trace);
    expect(code).toBe(130);
    expect(out).toMatch(
      /\n {4}55 {2}a {2}gets .*\n\nstopped {3}after \d+ executions spent on finding out why: no answer\n$/,
    );
    const { out: json } = await interrupted(folder, late, 'explain', trace, '--json');
    expect(JSON.parse(json)).toMatchObject({ trace: {}, why: null, interrupted: true });
  });

  test('stops an export, which then writes nothing', async () => {
    const page = ['export', trace, '--to', 'html', '--why', '--out', 'page.html'];
    const { code, out, err } = await interrupted(folder, late, ...page);
    expect({ code, out }).toEqual({ code: 130, out: '' });
    expect(err).toContain(' executions spent on finding out why: no answer; page.html is not written\n');
    expect(existsSync(join(folder, 'page.html'))).toBe(false);
  });

  test('ends a page, also while it searches for the reason', async () => {
    const { code, out } = await interrupted(folder, late, 'view', trace, '--no-open');
    expect(code).toBe(0);
    expect(out).toMatch(/\nstopped {3}after [\d,]+ executions? .*\nended {5}the server has stopped\n$/);
  });

  test('stops a script of steps, and its steps are saved', async () => {
    const copy = copied();
    const moment = { at: '> run 2', input: 'run 1\nrun 2\n' };
    const { code, out } = await interrupted(copy, moment, 'step', 'x.ts', '--out', 'kept');
    expect(code).toBe(130);
    expect(out).toMatch(/\nstopped {3}after [12] lines? of the script\nsaved {5}kept\//);
    expect(readdirSync(join(copy, 'kept'))).toHaveLength(1);
  });

  test.each([
    ['an import', ['import', 'pipe', '--out', 'written']],
    ['a look into a network', ['network', 'pipe', '--flows']],
  ])('ends %s, which then writes nothing', async (_name, args) => {
    const copy = folderWith();
    const pipe = join(copy, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    // A process that might still write: the command waits for it.
    const writer = openSync(pipe, 'r+');
    onTestFinished(() => closeSync(writer));
    const child = started(copy, ...args);
    const ended = once(child, 'close');
    await expect.poll(() => openFiles(child.pid ?? 0), { timeout: 60_000 }).toContain(pipe);
    child.kill('SIGINT');
    // No code of a system runs, so that nothing keeps Node from ending.
    expect(await ended).toEqual([null, 'SIGINT']);
    expect(existsSync(join(copy, 'written'))).toBe(false);
  });
});

/** The files that a process has open. */
function openFiles(pid: number): string[] {
  const descriptors = `/proc/${pid}/fd`;
  return readdirSync(descriptors).flatMap((name) => {
    try {
      return [readlinkSync(join(descriptors, name))];
    } catch {
      // It has been closed since.
      return [];
    }
  });
}
