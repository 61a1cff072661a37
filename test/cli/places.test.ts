import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { payment } from '../payment.ts';
import { culprit, folderWith } from './culprit.ts';

test('an exception has places: in the story, in the trace, in JSON, and in its explanation', () => {
  const folder = folderWith({ 'payment.ts': payment });
  const { out } = culprit(folder, 'hunt', 'payment.ts');
  expect(out).toContain(
    'violated  noUncaughtException: bank threw Error: declined\n' +
      '          at payment.ts:4:25\n' +
      '          at payment.ts:10:5\n',
  );
  const path = /^replay .*replay (.*)$/m.exec(out)?.[1] as string;
  const verdict = JSON.parse(readFileSync(join(folder, path), 'utf8').trimEnd().split('\n').at(-1) as string) as object;
  const at = ['payment.ts:4:25', 'payment.ts:10:5'];
  const fingerprint = 'noUncaughtException bank Error: declined';
  expect(verdict).toMatchObject({ verdict: 'violated', at, fingerprint });
  const { out: json } = culprit(folder, 'explain', path, '--json', '--no-why');
  expect(JSON.parse(json)).toMatchObject({ trace: { verdict: { at } } });
  // From another folder, as an editor opens it; moved lines make no new bug.
  const elsewhere = culprit(join(folder, '.culprit'), 'explain', join('..', path), '--no-why');
  expect(elsewhere.out).toContain('          at ../payment.ts:4:25\n');
});

/**
 * Handlers of many kinds. Comments name the process whose `receive` begins in that line, and `action`, `restart` and
 * `join`.
 */
const kinds = {
  'kinds.system.ts': `import { act, behavior, crash, defineSystem, restart, send, untilQuiet } from 'culprit';
import { inPackage } from 'pkg';
import { plain } from './lib/plain.js';
import { wrapped, type Receive } from './lib/wrapped.ts';

interface Handlers {
  readonly receive: Receive;
}

const receive: Receive = (state) => { // bound
  state.n += 1;
};

class Base {
  start() {
    return { n: 0 };
  }
  receive( // inherited
    state: { n: number },
    _message: string,
  ): void {
    state.n += 1;
  }
}

class Derived extends Base {
  override start = () => ({ n: 1 });
}

const of = (handlers: Handlers) =>
  behavior<{ n: number }, string>({
    start: () => ({ n: 0 }), // restart // join
    ...handlers,
  });

export default defineSystem({
  processes: {
    bound: of({ receive: receive.bind(undefined).bind(undefined) }),
    inherited: new Derived(),
    wrapped: of({ receive: wrapped(receive) }),
    plain: of({ receive: plain }),
    method: of({
      async receive() {}, // method
    }),
    native: of({ receive: Math.max as never }),
    packaged: of({ receive: inPackage }),
    proxy: of({ receive: new Proxy(receive, {}) }),
    text: of({ receive: new Function('state', 'state.n = 1;//# sourceURL=file:///elsewhere.js') as never }),
  },
  kinds: {
    worker: () =>
      of({
        receive() {}, // joined
      }),
  },
  actions: {
    again: () => [crash('bound'), restart('bound'), { kind: 'start', process: 'joined', of: 'worker' }], // action
  },
  workload: [
    ...['bound', 'inherited', 'wrapped', 'plain', 'method', 'native', 'packaged', 'proxy', 'text'].map((to) => send(to, 'x')),
    untilQuiet(),
    act('again'),
    send('joined', 'x'),
  ],
  invariants: { short: (world) => world.length < 33 || 'all of it has happened' },
});
`,
  'lib/wrapped.ts': `export type Receive = (state: { n: number }, message: string) => void;

/** Does not exist when it runs. */
export interface Erased {
  readonly line: 5;
}

export const wrapped =
  (inner: Receive): Receive =>
  (state, message) => { // wrapped
    inner(state, message);
  };
`,
  'lib/plain.js': `// A file in plain JavaScript.

export function plain(state) { // plain
  state.n += 1;
}
`,
  'node_modules/pkg/package.json': '{ "type": "module", "main": "index.js" }',
  'node_modules/pkg/index.js': 'export function inPackage(state) { state.n += 1; }',
};

/** The line of a file that ends with the comment, as a place. */
const marked = (file: keyof typeof kinds, comment: string): string =>
  `${file}:${kinds[file].split('\n').findIndex((line) => line.split(' // ').includes(comment)) + 1}`;

/** A folder with these files and a trace of the first, which is violated. */
function folderWithTrace(files: Readonly<Record<string, string>>): { folder: string; path: string } {
  const folder = folderWith();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { out } = culprit(folder, 'hunt', Object.keys(files)[0] as string, '--no-minimize', '--executions', '1');
  return { folder, path: /^saved +(.*)$/m.exec(out)?.[1] as string };
}

interface Explained {
  readonly trace: { readonly events: { readonly process: string; readonly kind: string; readonly of?: string }[] };
  readonly places: (string | null)[] | null;
}

const explained = (folder: string, path: string): Explained =>
  JSON.parse(culprit(folder, 'explain', path, '--json', '--no-why').out) as Explained;

describe('the place of a handler', () => {
  test('is its own, or missing, for every kind of function', () => {
    const { folder, path } = folderWithTrace(kinds);
    const { trace, places } = explained(folder, path);
    const of = (kind: string) =>
      Object.fromEntries(
        trace.events.flatMap((line, at) => (line.kind === kind ? [[line.process, places?.[at]]] : [])),
      );
    const system = 'kinds.system.ts';
    expect(of('deliver')).toEqual({
      bound: marked(system, 'bound'),
      inherited: marked(system, 'inherited'),
      wrapped: marked('lib/wrapped.ts', 'wrapped'),
      plain: 'lib/plain.js:3',
      method: marked(system, 'method'),
      native: null,
      packaged: null,
      proxy: null,
      text: null,
      joined: marked(system, 'joined'),
    });
    expect(of('act')).toEqual({ environment: marked(system, 'action') });
    expect(of('restart')).toEqual({ bound: marked(system, 'restart') });
    expect(of('start')).toMatchObject({ joined: marked(system, 'join'), native: marked(system, 'join') });
    expect([of('send'), of('crash')]).toEqual([{ environment: null }, { bound: null }]);
    // From another folder, as an editor opens it.
    expect(culprit(join(folder, 'lib'), 'explain', join('..', path), '--places', '--all', '--no-why').out).toMatch(
      / plain +gets x from environment +n: 0 → 1\n +at plain\.js:3\n/,
    );
  });

  test('is printed below each step, and is missing if the module is gone', () => {
    const { folder, path } = folderWithTrace({ 'lock.system.ts': lock });
    const { out } = culprit(folder, 'explain', path, '--places', '--no-why');
    expect(out.split('\n').slice(3, 9)).toEqual([
      '  1–4  lock, client-1, client-2, client-3 start  lock {holder: null}, client-1, client-2, client-3 {phase: waiting}',
      '           at lock.system.ts:23 (lock), lock.system.ts:6 (client-1, client-2, client-3)',
      '    5  lock      gets acquire from client-2  holder: null → client-2',
      '                 at lock.system.ts:24',
      '    6  client-2  gets granted from lock      phase: waiting → holding',
      '                 at lock.system.ts:11',
    ]);
    renameSync(join(folder, 'lock.system.ts'), join(folder, 'moved.ts'));
    const gone = culprit(folder, 'explain', path, '--places', '--no-why');
    expect(gone).toMatchObject({ code: 0, err: '' });
    expect(gone.out).not.toContain('  at ');
    expect(gone.out).toContain(
      'missing   the system, so there is no why and no locations: the trace names the module lock.system.ts, which does not exist.\n',
    );
    expect(explained(folder, path).places).toBeNull();
  });

  test('of awaited code is that of the handler; the output says if it cannot be found', () => {
    const { folder, path } = folderWithTrace({ 'saver.js': saver });
    const [begins, receives, wrote] = ['saver.js:3', 'saver.js:4', 'saver.js:11'];
    expect(explained(folder, path).places).toEqual([begins, null, receives, wrote, null, receives, receives]);
    writeFileSync(join(folder, 'saver.js'), saver.replace("await ctx.disk.write('b', 1)", 'await ctx.sleep(1)'));
    const { code, out } = culprit(folder, 'explain', path, '--places', '--no-why');
    expect(code).toBe(0);
    expect(out).toMatch(/ has written a: 1 +n: 0 → 1\n +at saver\.js:11\n/);
    expect(out).toContain(`patiently from environment
              at saver.js:4
    7  saver  has written b: 1  n: 1 → 2

missing   locations of awaited operations: event 7: the recording completes write b, but the system now asks for sleep.
`);
  });
});

const lock = readFileSync(new URL('../../cases/lock/lock.system.ts', import.meta.url), 'utf8');

/** Writes twice: one write is awaited, the other one is not. */
const saver = `import { behavior, defineSystem, send, untilQuiet } from 'culprit';
const saver = behavior({
  start: () => ({ n: 0 }),
  async receive(state, message, ctx) {
    if (message === 'idly') ctx.disk.write('a', 1);
    else {
      await ctx.disk.write('b', 1);
      state.n += 1;
    }
  },
  wrote(state) { state.n += 1; },
});
export default defineSystem({
  processes: { saver },
  workload: [send('saver', 'idly'), untilQuiet(), send('saver', 'patiently')],
  invariants: { few: (world) => world.length < 7 || 'both are written' },
});
`;
