import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { culprit, culpritWith, folderWith, interrupted, makeFolder, removeFolder, started } from './culprit.ts';

/** Counts to its end, for which every step is needed, while another process does something unrelated. */
const counting = `import { behavior, defineSystem } from 'culprit';
const counter = behavior<{ n: number }, { n: number }>({
  start(ctx) { ctx.send(ctx.self, { n: 1 }); return { n: 0 }; },
  receive(state, { n }, ctx) { state.n = n; ctx.send(ctx.self, { n: n + 1 }); },
});
export default defineSystem({ end: 3 }, ({ end }) => defineSystem({
  processes: { needed: counter, noise: counter },
  invariants: { unfinished: (world) =>
    world.up(counter).every(({ name, state }) => name === 'noise' || state.n < end) || 'it has counted to ' + end },
}));
`;

const hunt = ['hunt', 'counting.ts', '--events', '100000', '--strategy', 'random'];

interface Original {
  readonly folder: string;
  readonly saved: string;
  readonly minimized: string;
}

/** The traces of hunts that count to an end, by that end. A hunt is the same every time, so the tests share it. */
const originals = new Map<number, Original>();
afterAll(() => {
  for (const { folder } of originals.values()) removeFolder(folder);
});

function recorded(end: number): Original {
  const folder = makeFolder();
  writeFileSync(join(folder, 'counting.ts'), counting);
  const { out } = culprit(folder, ...hunt, '--set', `end=${end}`, '--no-minimize');
  const [, saved = ''] = /saved {5}(\S+)/.exec(out) ?? [];
  const original = { folder, saved, minimized: saved.replace(/\.trace(\.gz)?$/, '.min.trace') };
  originals.set(end, original);
  return original;
}

/** A folder with its original trace, and the path of that trace. */
function counted(end = 3): Original {
  const original = originals.get(end) ?? recorded(end);
  const folder = folderWith();
  cpSync(original.folder, folder, { recursive: true });
  return { ...original, folder };
}

/** The same, with the text of the minimized trace: minimizing it is the same every time, too. */
let minimizedText: string | undefined;
function countedAndMinimized(): Original & { readonly text: string } {
  const original = counted();
  const path = join(original.folder, original.minimized);
  if (minimizedText === undefined) {
    culprit(original.folder, 'minimize', original.saved);
    minimizedText = readFileSync(path, 'utf8');
  }
  writeFileSync(path, minimizedText);
  return { ...original, text: minimizedText };
}

/** Leaves out the number of schedules, which the tests of passes pin. */
const timeless = (out: string): string =>
  out
    .replaceAll(/[\d,]+ schedules/g, '… schedules')
    .replaceAll(/ +[\d,]+ +[\d.]+$/gm, ' … …')
    .replaceAll(/[\d.]+ s\b/g, '… s');

const headerOf = (path: string): { events: number; minimized: { events: number; certificate?: string } } =>
  JSON.parse(readFileSync(path, 'utf8').split('\n')[0] as string) as ReturnType<typeof headerOf>;

describe('culprit minimize', () => {
  test('says what each pass removed, describes the rest, and saves it beside the trace', () => {
    const { folder, saved, minimized } = counted();
    const { code, out, err } = culprit(folder, 'minimize', saved);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(timeless(out)).toMatchInlineSnapshot(`
      "minimize  .culprit/unfinished-bdd8.trace, 6 events

        pass           events  externals  schedules    seconds
        (input)             6          2 … …
        provenance          4          1 … …

      violated  unfinished: it has counted to 3
                6 events → 4, … schedules, … s, shortest
      why       unfinished is violated in nearly any order: in 20 of 20 executions from the start

        1  needed  starts                   n: 0
        2  needed  gets {n: 1} from needed  n: 0 → 1
        3  needed  gets {n: 2} from needed  n: 1 → 2
        4  needed  gets {n: 3} from needed  n: 2 → 3

      saved     .culprit/unfinished-bdd8.min.trace
      view      npx culprit view .culprit/unfinished-bdd8.min.trace
      explain   npx culprit explain .culprit/unfinished-bdd8.min.trace
      replay    npx culprit replay .culprit/unfinished-bdd8.min.trace
      "
    `);
    expect(headerOf(join(folder, minimized))).toMatchObject({ events: 4, minimized: { certificate: 'shortest' } });
    expect(culprit(folder, 'replay', minimized).out).toContain('all 4 events of ');
  });

  test('writes the same bytes every time, and says at once that nothing remains to try', () => {
    const { folder, saved, minimized, text } = countedAndMinimized();
    const again = culprit(folder, 'minimize', saved);
    expect(again.code).toBe(1);
    expect(again.out).toContain('\nknown     already minimized with these passes: nothing is left to try\n');
    expect(again.out).not.toContain('go on');
    expect(readFileSync(join(folder, minimized), 'utf8')).toBe(text);
    const other = counted();
    culprit(other.folder, 'minimize', other.saved);
    expect(readFileSync(join(other.folder, other.minimized), 'utf8')).toBe(text);
  });

  test('takes single passes, and claims no more than they guarantee', () => {
    const { folder, saved, minimized } = counted();
    const { code, out } = culprit(folder, 'minimize', saved, '--passes', 'provenance');
    expect(code).toBe(1);
    expect(timeless(out)).toContain(' → 4, … schedules, … s, not known to be minimal\n');
    expect(out).not.toContain('go on');
    // All passes resume from there; the certificate stays valid.
    const whole = culprit(folder, 'minimize', saved, '--json');
    expect((JSON.parse(whole.out) as { stages: object[] }).stages[0]).toMatchObject({ pass: 'verify', events: 4 });
    expect(culprit(folder, 'minimize', minimized, '--passes', 'internals').out).toContain(
      'resumes   from 4 events, the result of an earlier run\n',
    );
    expect(headerOf(join(folder, minimized)).minimized.certificate).toBe('shortest');
  });

  test('stops at a number of schedules, and resumes from there in the next run', () => {
    const { folder, saved, minimized } = counted();
    const few = culprit(folder, 'minimize', saved, '--schedules', '2', '--out', 'elsewhere');
    const there = minimized.replace('.culprit', 'elsewhere');
    expect(few.out).toContain(`replay    npx culprit replay ${there}\nresume    npx culprit minimize ${there}\n`);
    expect(culprit(folder, 'minimize', there).out).toContain('shortest');
    expect(readdirSync(join(folder, '.culprit'))).toHaveLength(1);
  });

  test('prints one object as JSON', () => {
    const { folder, saved, minimized } = counted();
    const { code, out, err } = culprit(folder, 'minimize', saved, '--json');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const { stages, ...rest } = JSON.parse(out) as { stages: { pass: string; events: number }[] };
    expect(stages.slice(0, 2).map(({ pass, events }) => [pass, events > 4])).toEqual([
      ['verify', true],
      ['provenance', false],
    ]);
    expect(rest).toMatchObject({
      from: { path: saved, events: stages[0]?.events },
      final: { oracle: 'unfinished', events: 4, externals: 1 },
      certificate: 'shortest',
      interrupted: false,
      path: minimized,
      others: [],
    });
    // The violation always happens.
    expect(rest).not.toHaveProperty('reproduction');
  });

  test('keeps other bugs that it meets', () => {
    const system = `import { behavior, defineSystem, send } from 'culprit';
      const gun = behavior({ start: () => ({ armed: false, fired: false }), receive(state, what: 'arm' | 'fire') {
        if (what === 'arm') state.armed = true; else state.fired = true;
      } });
      export default defineSystem({ processes: { gun }, workload: [send('gun', 'arm'), send('gun', 'fire')], invariants: {
        safe: (world) => !world.up(gun).some(({ state }) => state.armed && state.fired) || 'it hits',
        sound: (world) => !world.up(gun).some(({ state }) => !state.armed && state.fired) || 'it fires, unarmed',
      } });`;
    const folder = folderWith({ 'gun.ts': system });
    const { out } = culprit(folder, 'hunt', 'gun.ts');
    const [, other = ''] = /^also {6}(\S+), found on the way: sound: it fires, unarmed$/m.exec(out) ?? [];
    expect(out).toContain('violated  safe: it hits\n          5 events → 5, ');
    expect(culprit(folder, 'replay', other).out).toContain('violated  sound: it fires, unarmed\n');
  });
});

test('for a nondeterministic system, culprit minimize prints how often the violation happened', () => {
  const system = `import { behavior, defineSystem } from 'culprit';
    const chance = () => (process.env['CALM'] === undefined ? Math.random() : 0);
    const coin = behavior({ start: () => ({ noise: chance(), isHeads: chance() < 0.5 }), receive() {} });
    export default defineSystem({ processes: { coin }, invariants: {
      tails: (world) => world.up(coin).every(({ state }) => !state.isHeads) || 'heads',
    } });`;
  const folder = folderWith({ 'coin.ts': system });
  const [, saved = ''] = /saved {5}(\S+)/.exec(culpritWith({ CALM: '' }, folder, 'hunt', 'coin.ts').out) ?? [];
  const { code, out, err } = culprit(folder, 'minimize', saved);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toContain('\nresumes   from 1 event, the result of an earlier run\n');
  expect(out).toMatch(/, \d+ schedules, 1-minimal up to the stated error, violated in 20 of \d+ replays\n/);
  const { reproduction } = JSON.parse(culprit(folder, 'minimize', saved, '--json').out) as {
    reproduction: { rate: number; replays: number };
  };
  expect(reproduction.rate).toBeCloseTo(20 / reproduction.replays);
});

describe('an unfinished minimization', () => {
  test('has its best execution on disk when the process is killed, and resumes from there', async () => {
    const { folder, saved, minimized } = counted(1_000);
    // Longer than any user waits: the file must have been written during the run.
    const child = started(folder, 'minimize', saved, '--seconds', '3600');
    while (!existsSync(join(folder, minimized)) && child.exitCode === null) await sleep(10);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    expect(child.signalCode).toBe('SIGKILL');
    const { events, minimized: from } = headerOf(join(folder, minimized));
    expect(events).toBeLessThan(from.events);
    expect(from).not.toHaveProperty('certificate');
    expect(culprit(folder, 'replay', minimized)).toMatchObject({ code: 1, err: '' });
    const { code, out } = culprit(folder, 'minimize', saved, '--seconds', '1');
    expect(code).toBe(1);
    expect(out).toContain(`resumes   from ${events.toLocaleString('en')} events, the result of an earlier run`);
    expect(out).toContain(`${from.events.toLocaleString('en')} events → `);
  });

  test('keeps its best execution when it is interrupted, and says how to resume', async () => {
    const { folder, saved } = counted(1_000);
    const { code, out } = await interrupted(folder, { at: 'minimize ' }, 'minimize', saved);
    expect(code).toBe(130);
    expect(out).toMatch(/\nstopped {3}after [\d,]+ schedules?, [\d.]+ of 60 s: the trace may not be minimal\n/);
    const [, kept = ''] = /\nresume {4}npx culprit minimize (\S+\.min\.trace(?:\.gz)?)\n/.exec(out) ?? [];
    expect(existsSync(join(folder, kept))).toBe(true);
  });
});

describe('culprit minimize, given', () => {
  test.each<[string, readonly string[], string]>([
    ['an unknown pass', ['--passes', 'single,shake'], 'there is no pass called "shake".'],
    ['an unknown likeness', ['--passes', 'single:color'], 'unknown matching in pass "single:color".'],
    ['no pass', ['--passes', ''], 'there is no pass called "".'],
    ['no schedules', ['--schedules', '0'], "'--schedules <n>' argument '0'"],
    ['no time', ['--seconds', '0'], "'--seconds <n>' argument '0'"],
    ['a system that is not there', ['--system', 'missing.ts'], 'there is no file missing.ts.'],
    ['another system', ['--system', 'lock.system.ts'], 'the system has no parameter called end'],
  ])('%s, reports it, exits with 2, and writes nothing', (_what, args, problem) => {
    const { folder, saved } = counted();
    const { code, err } = culprit(folder, 'minimize', saved, ...args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(problem) as unknown });
    expect(err).toMatch(/\nnext {6}|Use a whole number/);
    expect(readdirSync(join(folder, '.culprit'))).toHaveLength(1);
  });

  test.each<[string, (text: string) => string, string]>([
    [
      'of another execution',
      (text) => text.replace(/"from":"[^"]+"/, '"from":"0000000000000000"'),
      'exists already, but was not made from .culprit/unfinished-',
    ],
    [
      'that was never minimized',
      (text) => text.replace(/,"minimized":\{.*\}\}\n/, '}\n'),
      'exists already, but was not made from .culprit/unfinished-',
    ],
    ['cut short', (text) => text.slice(0, 900), 'the file is truncated.'],
    ['that is none', () => 'precious\n', 'line 1 is not JSON'],
    ['of other states', (text) => text.replace('"n":2}', '"n":4}'), 'no longer replays: event 3: '],
  ])('a minimized trace %s, leaves it alone', (_what, damage, problem) => {
    const { folder, saved, minimized, text } = countedAndMinimized();
    const path = join(folder, minimized);
    const damaged = damage(text);
    writeFileSync(path, damaged);
    const { code, err } = culprit(folder, 'minimize', saved);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(problem) as unknown });
    expect(err).toContain(`\nnext      Move or delete it, then start over: culprit minimize ${saved}\n`);
    // A hunt describes its original finding, and says why.
    const hunted = culprit(folder, ...hunt);
    expect(hunted.code).toBe(1);
    expect(hunted.out).toContain(' events, not minimized: ');
    expect(hunted.out).toContain(`saved     ${saved}\nview      npx culprit view ${saved}\n`);
    expect(readFileSync(path, 'utf8')).toBe(damaged);
  });

  test('a passing execution, says that there is nothing to minimize', () => {
    const { folder, saved } = counted();
    const path = join(folder, saved);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const { name, ending } = JSON.parse(lines.pop() as string) as { name: string; ending: string };
    writeFileSync(path, `${[...lines, JSON.stringify({ verdict: 'holds', name, ending })].join('\n')}\n`);
    expect(culprit(folder, 'minimize', saved)).toMatchObject({
      code: 2,
      err: expect.stringContaining('the execution ends with holds: only a violation can be minimized.') as unknown,
    });
  });
});

describe('a hunt', () => {
  test('leaves violations unminimized on request', () => {
    const folder = folderWith();
    const { code, out } = culprit(folder, 'hunt', 'lock.system.ts', '--no-minimize');
    expect(code).toBe(1);
    expect(out).toContain('both hold the lock\n          11 events\n');
    expect(out).toMatch(
      /\nsaved {5}(\S+-8dfc\.trace)\nview {6}npx culprit view \1\nexplain {3}npx culprit explain \1\nreplay {4}npx culprit replay \1\n/,
    );
    expect(readdirSync(join(folder, '.culprit'))).toEqual(['mutual-exclusion-8dfc.trace']);
  });
});
