import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { search, stop, type System, type World } from 'culprit';
import {
  controller,
  controllersAlive,
  defineNetwork,
  linear,
  switchesConnected,
  type NetworkDefinition,
  type SwitchState,
} from 'culprit/networks';
import { describe, expect, test } from 'vitest';
import { commandLine, culprit, folderWith } from '../cli/culprit.ts';
import { processesWith } from '../live/processes.ts';

const program = `${import.meta.dirname}/programs/odd-controller.mjs`;

/** Names the processes of a test. */
const markOf = (way: string): string => `${way.replaceAll(' ', '-')}-${process.pid}`;

const networkWith = (way: string, definition: Partial<NetworkDefinition> = {}): System =>
  defineNetwork({
    controllers: {
      c1: controller([process.execPath, program, way, '$address', '$port', markOf(way)], {
        readyMs: 5_000,
        stopMs: 200,
      }),
    },
    topology: linear(2),
    pace: { roundMs: 20, quietMs: 100 },
    ...definition,
  });

const once = { executions: 1, control: false } as const;

describe('a controller that', () => {
  test('never says hello makes the execution unknown', async () => {
    const silent = networkWith('never answers', {
      controllers: {
        c1: controller([process.execPath, program, 'never answers', '$address', '$port'], { readyMs: 1_000 }),
      },
    });
    const { unknown, whyUnknown } = await search(silent, once);
    expect(unknown).toBe(1);
    expect(whyUnknown).toBe('c1 did not get ready: it accepted a connection, and sent no hello within 1 s.');
  });

  test.each([
    ['speaks 1.3 only', 'c1 speaks OpenFlow 1.3 only, and the switches of culprit speak 1.0.'],
    ['refuses 1.0', 'c1 refuses OpenFlow 1.0, and the switches of culprit speak 1.0.'],
  ])('%s ends the hunt with one sentence', async (way, sentence) => {
    await expect(search(networkWith(way), once)).rejects.toThrow(sentence);
    expect(processesWith(markOf(way))).toEqual([]);
  });

  test('closes its channels is connected to again, but not at once', async () => {
    const system = networkWith('closes after features', {
      pace: { quietMs: 2_000 },
      invariants: { never: (world) => connectionOf(world) < 4 },
    });
    const { findings } = await search(system, once);
    const notes = findings[0]?.trace.events.flatMap(({ observed = [] }) => observed) ?? [];
    const closed = notes.filter(({ what, content }) => what === 'closes connection' && isAbout(content, 's1'));
    expect(closed).toHaveLength(3);
    expect(closed[2]?.atMs).toBeGreaterThan(2_000);
  });

  test('sends half a message and closes is observed', async () => {
    const system = networkWith('sends half a message', {
      invariants: { never: (world) => connectionOf(world) < 2 },
    });
    const { findings } = await search(system, once);
    const notes = findings[0]?.trace.events.flatMap(({ observed = [] }) => observed) ?? [];
    expect(notes).toContainEqual(
      expect.objectContaining({ what: 'closes connection', content: { to: 's1', unfinishedBytes: 11 } }),
    );
  });

  test('sends what no switch knows gets the error of the standard', async () => {
    const system = networkWith('sends an unknown type', {
      invariants: { never: (world) => world.pending.every((event) => !isError(event)) },
    });
    const { findings } = await search(system, once);
    expect(findings).toHaveLength(1);
  });

  test('floods a switch has to wait, and does not fill the memory', async () => {
    let most = 0;
    const system = networkWith('floods', {
      invariants: {
        isShort: (world) => {
          most = Math.max(most, world.pending.length);
          return world.length < 900;
        },
      },
    });
    const { findings } = await search(system, once);
    expect(findings).toHaveLength(1);
    // For each of two switches 1,000, and what one chunk of bytes has more.
    expect(most).toBeLessThan(20_000);
    expect(processesWith(markOf('floods'))).toEqual([]);
  });

  test('dies is a violation, with its last line', async () => {
    const system = networkWith('dies at a packet', {
      traffic: (net) => [net.ping('h1', 'h2')],
      invariants: { alive: controllersAlive() },
    });
    const { findings } = await search(system, once);
    expect(findings[0]?.trace.verdict).toMatchObject({
      verdict: 'violated',
      processes: ['c1'],
      message: expect.stringContaining('c1 exited with code 3') as string,
      values: { 'last line': 'no route' },
    });
  });

  test('has no descriptor left leaves switches without a channel, and does not hang the execution', async () => {
    const limited = ['sh', '-c', 'ulimit -n 32; exec "$@"', 'limited', process.execPath, program];
    const system = networkWith('has few descriptors', {
      topology: linear(24),
      controllers: { c1: controller([...limited, 'has few descriptors', '$address', '$port']) },
      pace: { quietMs: 2_000 },
      invariants: { connected: switchesConnected({ within: { ms: 1_000 } }) },
    });
    const { findings } = await search(system, once);
    expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'connected' });
  });

  test('ignores SIGTERM is killed', async () => {
    const system = networkWith('ignores SIGTERM', { traffic: () => [stop('c1')] });
    const { findings, unknown } = await search(system, once);
    expect([findings, unknown]).toEqual([[], 0]);
    expect(processesWith(markOf('ignores SIGTERM'))).toEqual([]);
  });
});

/** The number of the connection that a switch has to c1, or wants to have; 0 for a process that is no switch. */
const connectionOf = (world: World, name = 's1'): number => {
  const { state } = world.process(name) as { readonly state?: Partial<SwitchState> };
  return state?.channels?.['c1']?.number ?? 0;
};

const isAbout = (content: unknown, name: string): boolean => (content as { readonly to?: string }).to === name;

const isError = (event: object): boolean =>
  'message' in event && (event.message as { readonly type?: string }).type === 'error';

/** A file with a network whose controller is started by this line. */
const fileFor = (line: string): Record<string, string> => ({
  'net.system.mjs': `
    import { controller, defineNetwork, linear } from 'culprit/networks';
    export default defineNetwork({ controllers: { c1: controller(${JSON.stringify(line)}) }, topology: linear(2) });
  `,
});

describe('on the command line', () => {
  test.each([
    ['no-such-controller $port', /^error +seed 0: c1 cannot be started: there is no program no-such-controller\./],
    [`node ${program} "speaks 1.3 only" $address $port`, /^error +seed 0: c1 speaks OpenFlow 1\.3 only/],
    [
      'node -e console.log(42),process.exit(4)',
      /^error +seed 0: c1 exited with code 4 before it was ready. Its last lines:\n +42\nnext +Correct the command/,
    ],
  ])('%s ends with one sentence', (line, sentence) => {
    const { code, out, err } = culprit(folderWith(fileFor(line)), 'hunt', 'net.system.mjs', '--executions', '2');
    expect(err + out).toMatch(sentence);
    expect(code).toBe(2);
  });

  test('a limit on open files ends with one sentence, and leaves nothing', () => {
    const mark = markOf('limited');
    const folder = folderWith({
      'net.system.mjs': `
        import { controller, defineNetwork, linear } from 'culprit/networks';
        const line = ['node', ${JSON.stringify(program)}, 'answers', '$address', '$port', '${mark}'];
        export default defineNetwork({ controllers: { c1: controller(line) }, topology: linear(40) });
      `,
    });
    const hunt = commandLine('hunt', 'net.system.mjs', '--executions', '1', '--jobs', '1');
    const { status, stdout, stderr } = spawnSync('bash', ['-c', `ulimit -n 72; exec ${hunt}`], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], TMPDIR: folder },
    });
    expect(stderr + stdout).toMatch(
      /^error +seed 0: the channel of s\d+ to c1 cannot be opened: 72 open files are allowed.*\nnext .*ulimit -n/m,
    );
    expect(status).toBe(2);
    expect(processesWith(mark)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith('culprit-live-'))).toEqual([]);
  });
});
