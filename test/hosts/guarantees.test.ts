import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  behavior,
  check,
  CulpritError,
  defineSystem,
  explainWhy,
  fromClass,
  minimize,
  recheck,
  search,
  send,
  type Io,
} from 'culprit';
import type { System } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';
import { diffLines, exhibitOf, explainLines, exportTrace } from 'culprit/report';
import type { Trace } from 'culprit/trace';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { culprit, culpritReading, makeFolder, removeFolder } from '../cli/culprit.ts';
import { ticking } from '../twins/ticking.ts';
import { opaqueModule, tickingModule } from './modules.ts';

/** The table of commands against guarantees in the design: a test for each cell. */

interface Talk {
  readonly type: string;
}

/** A poke makes the server answer the next question twice. */
const actor = behavior<{ isPoked: boolean }, Talk>({
  start: () => ({ isPoked: false }),
  receive(state, { type }, ctx) {
    if (type === 'poke') state.isPoked = true;
    if (type !== 'ask') return;
    ctx.send('client', { type: 'answer' });
    if (state.isPoked) ctx.send('client', { type: 'answer' });
  },
});

class Server {
  #isPoked = false;

  constructor(private readonly io: Io) {}

  get isPoked(): boolean {
    return this.#isPoked;
  }

  take({ type }: Talk): void {
    if (type === 'poke') this.#isPoked = true;
    if (type !== 'ask') return;
    this.io.send('client', { type: 'answer' });
    if (this.#isPoked) this.io.send('client', { type: 'answer' });
  }
}

const opaque = fromClass(Server, {
  receive: (server, message: Talk) => server.take(message),
  view: ({ isPoked }) => ({ isPoked }),
});

const box = ticking({
  receive(self, message) {
    const { type } = message as Talk;
    if (type === 'poke') self.after(30, () => self.observe('isPoked', true));
    if (type !== 'ask') return;
    self.after(5, () => self.send('client', { type: 'answer' }));
    if (self.seen['isPoked'] === true) self.after(20, () => self.send('client', { type: 'answer' }));
  },
});

const client = behavior<{ asked: number; answers: number }, Talk>({
  start: () => ({ asked: 0, answers: 0 }),
  receive(state, { type }, ctx) {
    if (type === 'answer') state.answers += 1;
    if (type !== 'go') return;
    state.asked += 1;
    ctx.send('server', { type: 'ask' });
  },
});

const systemOf = (server: AnyBehavior): System =>
  defineSystem({
    processes: { server, client },
    workload: ['go', 'noise', 'poke', 'go'].map((type) => send(type === 'go' ? 'client' : 'server', { type })),
    invariants: {
      oneAnswer: (world) => {
        const { asked, answers } = world.process('client').state ?? { asked: 0, answers: 0 };
        return answers <= asked || `${answers} answers to ${asked} questions`;
      },
    },
  });

const columns = [
  ['all three', systemOf(actor), true],
  ['repeatable, not forkable', systemOf(opaque), true],
  ['not repeatable', systemOf(box), false],
] as const;

/** The answer, or the reason for which there is none. */
const answerOf = (promise: Promise<string>): Promise<string> =>
  promise.catch((error: unknown) => (error instanceof CulpritError ? error.message : Promise.reject(error as Error)));

describe.each(columns)('%s', (_name, system, isRepeatable) => {
  let found: Trace;

  beforeAll(async () => {
    const { findings } = await search(system, { executions: 200 });
    found = findings[0]?.trace as Trace;
  });

  test('hunt', async () => {
    expect(found.verdict).toMatchObject({ verdict: 'violated', oracle: 'oneAnswer' });
    expect(found.events.every(({ atMs }) => (atMs === undefined) === isRepeatable)).toBe(true);
  });

  test('replay', async () => {
    const answer = await recheck(system, found);
    expect(answer).toMatchObject(
      isRepeatable
        ? { answer: 'reproduced', by: 'replay' }
        : { answer: 'sampled', replays: 10, reproduced: 10, control: { replays: 10, reproduced: 10 } },
    );
  });

  test('minimize', async () => {
    const { trace, certificate } = await minimize(system, found);
    const inputs = trace.events.filter(({ kind }) => kind === 'send');
    expect(inputs).toHaveLength(2);
    expect(certificate).toBe(isRepeatable ? 'shortest' : '1-minimal up to the stated error');
  });

  test('check', async () => {
    const answer = await answerOf(check(system).then(({ verdict }) => verdict));
    expect(answer).toBe(isRepeatable ? 'violated' : 'check needs a repeatable system; server is ticking.');
  });

  test('explain, from the file', () => {
    expect(explainLines(found).join('\n')).toContain('answers to');
  });

  test('explain why', async () => {
    const { answer, odds, counterfactuals } = await explainWhy(system, found);
    expect([odds.length > 0, counterfactuals.length > 0]).toEqual([isRepeatable, isRepeatable]);
    expect(answer).toMatch(isRepeatable ? /./ : /^it may depend on 4 of 4 externals, events .*, and on no other$/);
  });

  test('explain why, by replays', async () => {
    const { counterfactuals, answer } = await explainWhy(system, found, { replays: 5 });
    const replayed = counterfactuals.flatMap(({ event, outcome, replays }) => {
      const line = found.events[event - 1];
      const type = line?.kind === 'send' ? (line.message as Talk).type : line?.process;
      return replays === undefined ? [] : [[type, outcome, replays.reproduced]];
    });
    const expected = [
      ['go', 'violated', 5],
      ['noise', 'violated', 5],
      ['poke', 'holds', 0],
      ['go', 'holds', 0],
    ];
    expect(replayed).toEqual(isRepeatable ? [] : expected);
    const byReplays = /^without any one of events .*, oneAnswer was violated in none of 5 replays$/;
    expect(byReplays.test(answer)).toBe(!isRepeatable);
  });

  test('diff, export and view', () => {
    expect(diffLines(found, found).join('\n')).toContain('same');
    expect(exportTrace(found, 'mermaid')).toContain('sequenceDiagram');
    expect(exhibitOf([{ file: 'found', trace: found }])).toBeDefined();
  });
});

describe('on the command line', () => {
  let folder: string;
  const traces = { found: '', small: '' };

  beforeAll(() => {
    folder = makeFolder();
    writeFileSync(join(folder, 'box.system.ts'), tickingModule);
    writeFileSync(join(folder, 'class.system.ts'), opaqueModule);
    const { out } = culprit(folder, 'hunt', 'box.system.ts', '--no-minimize', '--json');
    traces.found = /"path": ?"([^"]+\.trace)"/.exec(out)?.[1] ?? out;
  });

  afterAll(() => removeFolder(folder));

  test('a system that is not repeatable is hunted and minimized', () => {
    const { code, out } = culprit(folder, 'hunt', 'box.system.ts');
    expect(code).toBe(1);
    expect(out).toContain('oneAnswer');
    const minimized = culprit(folder, 'minimize', traces.found);
    expect(minimized.code).toBe(1);
    expect(minimized.out).toContain('1-minimal up to the stated error');
  });

  test('a violation that does not happen again is not minimized, and there is no answer', () => {
    writeFileSync(join(folder, 'mended.system.ts'), tickingModule.replace('if (box.isPoked)', 'if (false)'));
    const { code, out, err } = culprit(folder, 'minimize', traces.found, '--system', 'mended.system.ts');
    expect({ code, out }).toMatchObject({ code: 3, out: expect.stringContaining('17 events') as string });
    expect(err).toContain(
      'the violation did not happen in 20 replays, a rate of 0–17 %, so that nothing can be minimized.',
    );
    expect(err).toContain('culprit replay --replays 100');
  });

  test('it is replayed ten times', () => {
    const { code, out } = culprit(folder, 'replay', traces.found);
    expect(code).toBe(1);
    expect(out).toContain('reproduced in 10 of 10 replays (69–100 %)');
    expect(out).toContain('control   without faults: reproduced in 10 of 10 replays');
    expect(out).toContain('events    matched 10, absent 0, new 0, ambiguous 0 in each replay');
  });

  test('it is explained and exported from the file', () => {
    const explained = culprit(folder, 'explain', traces.found);
    expect(explained.code).toBe(0);
    expect(explained.out).toMatch(/server {2}gets poke from environment; observed poked \{by: poke\} at \d+ ms/);
    expect(explained.out).toContain('why       it may depend on 5 of 5 externals, events');
    expect(explained.out).toContain('nothing was executed: with --replays 10, each of them is left out ten times');
    const replayed = culprit(folder, 'explain', traces.found, '--replays', '5');
    expect(replayed.out).toMatch(
      /replayed {2}without event \d+ \(.*poke.*\), oneAnswer was violated in 0 of 5 replays/,
    );
    expect(replayed.out).toContain('that it did not happen in 5 replays leaves a rate of up to 52 % possible');
    expect(JSON.parse(culprit(folder, 'explain', traces.found, '--json').out)).toMatchObject({ why: { odds: [] } });
    const exported = culprit(folder, 'export', traces.found, '--to', 'html', '--out', 'page.html');
    expect(exported.err).toBe('');
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('observed poked');
    const diagram = culprit(folder, 'export', traces.found).out;
    expect(diagram).toMatch(/Note over p0: observed poked \{by: poke\} at \d+ ms/);
    expect(culprit(folder, 'diff', traces.found, traces.found).out).toContain('same      all');
  });

  test('step makes an execution by hand, which is saved as it happened', () => {
    const script = '1\n1\n1\nwait 50\nlist\nrun\nscript\nsave by-hand.trace\n';
    const { code, out } = culpritReading(script, folder, 'step', 'box.system.ts');
    expect(out).toContain('waited    50 ms\nchoose    1  client       gets answer from server\n');
    expect(out).toContain('violated  oneAnswer: 3 answers to 2 questions');
    expect(out).toMatch(/> script\nenvironment sends go to client\n.*\n.*\nwait 50\nrun\n/);
    expect(code).toBe(1);
    expect(culprit(folder, 'replay', 'by-hand.trace').out).toContain('reproduced in 10 of 10 replays');
  });

  test('step follows a trace, and waits for its events', () => {
    const { code, out } = culpritReading('next 3\nnext 100\n', folder, 'step', traces.found);
    expect(out).toContain('17  client       gets answer from server      answers: 2 → 3\nviolated  oneAnswer');
    expect(code).toBe(1);
  });

  test('step says what a recording has that does not appear', () => {
    writeFileSync(join(folder, 'mute.system.ts'), tickingModule.replace("!== 'ask'", "!== 'never'"));
    const { out } = culpritReading('next 100\n', folder, 'step', traces.found, '--system', 'mute.system.ts');
    expect(out).toContain('recorded  the end is reached; 3 events did not appear in time');
  });

  test.each([
    ['undo', 'box.system.ts', 'events cannot be taken back; server is ticking.'],
    ['redo', 'box.system.ts', 'events cannot be taken back; server is ticking.'],
    ['wait', 'class.system.ts', 'nothing happens by itself in this system.'],
    ['wait long', 'box.system.ts', 'long is no number of milliseconds.'],
  ])('step refuses %s in %s', (command, system, sentence) => {
    const { code, err } = culpritReading(`1\n${command}\n`, folder, 'step', system);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });

  test('doctor reports rates', () => {
    const { code, out } = culprit(folder, 'doctor', 'box.system.ts');
    expect(code).toBe(0);
    expect(out).toContain('ok        executions: 10 executions, 10 of them violated');
    expect(out).toContain('the same inputs gave the same events again in 10 of 10 executions (69–100 %)');
    expect(out).toContain('rates: violated in 10 of 10 executions (69–100 %)');
    expect(out).toMatch(/ok {8}traces: .*: reproduced in 10 of 10 replays/);
    expect(out).toContain('examined in a repeatable system; server is ticking');
  });

  test('workers check a system that is not forkable', () => {
    const { code, out } = culprit(folder, 'check', 'class.system.ts', '--workers', '2');
    expect(code).toBe(1);
    expect(out).toContain('oneAnswer: 2 answers to 1 questions');
  });

  test.each([
    ['check', () => culprit(folder, 'check', 'box.system.ts'), 'check needs a repeatable system; server is ticking.'],
    [
      'check with workers',
      () => culprit(folder, 'check', 'box.system.ts', '--workers', '2'),
      'check needs a repeatable system; server is ticking.',
    ],
  ])('%s is refused in one sentence', (_name, run, sentence) => {
    const { code, out, err } = run();
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
  });
});
