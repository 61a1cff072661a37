import { readdirSync, writeFileSync } from 'node:fs';
import { behavior, crash, defineSystem, doctor, restart, search, send, until } from 'culprit';
import { command, resp, stdio, tcp } from 'culprit/live';
import { beforeAll, expect, inject, test } from 'vitest';
import { culprit, folderWith } from '../cli/culprit.ts';

beforeAll(() => {
  const { libfaketime, redisServer } = inject('programs');
  for (const found of [libfaketime, redisServer]) if ('problem' in found) throw new Error(found.problem);
});

const python = (program: string): string[] => ['/usr/bin/python3', '-uc', program];

const client = behavior<{ got: unknown[] }, unknown>({
  start: () => ({ got: [] }),
  receive: (state, message) => void state.got.push(message),
});

/** The clock of the machine, which no library stands before. */
const UPTIME = `uptime = lambda: float(open('/proc/uptime').read().split()[0])`;

test('a minute takes less than a minute, on every clock of the program', async () => {
  const program = `
import json, sys, time
${UPTIME}
for line in sys.stdin:
    clocks = lambda: [time.time(), time.monotonic(), uptime()]
    before = clocks()
    time.sleep(60)
    print(json.dumps({'to': 'client', 'message': [after - b for after, b in zip(clocks(), before)]}))
`;
  const system = defineSystem({
    processes: { node: command(python(program), { connect: stdio(), speed: 100 }), client },
    pace: { roundMs: 5, quietMs: 50, executionMs: 300_000 },
    workload: [send('node', 'go'), until((world) => world.length > 5)],
    invariants: { silent: (world) => world.process('client').state?.got.length !== 1 },
  });
  const { findings } = await search(system, { executions: 1, control: false });
  const answer = findings[0]?.trace.events.at(-1) as { readonly message?: number[] };
  const [real = 0, monotonic = 0, ofMachine = 60] = answer.message ?? [];
  expect(real).toBeGreaterThanOrEqual(60);
  expect(monotonic).toBeGreaterThanOrEqual(60);
  expect(ofMachine).toBeLessThan(50);
});

test('the clock of a program does not run backward when it restarts, and nothing of it is left', async () => {
  const program = `
import os, sys, time
print(os.getpid(), file=sys.stderr)
print(time.time())
for line in sys.stdin: print(time.time())
`;
  const node = command<{ times: number[] }>(python(program), {
    connect: stdio({ decode: () => undefined, encode: () => '' }),
    speed: 1_000,
    view: ({ out }) => ({ times: out.map(Number) }),
  });
  const hasPrinted = (lines: number) =>
    until((world) => ((world.process('node').state as { times: number[] } | undefined)?.times.length ?? 0) >= lines);
  const system = defineSystem({
    processes: { node },
    pace: { roundMs: 5, quietMs: 50, executionMs: 300_000 },
    workload: [hasPrinted(1), send('node', 'say'), hasPrinted(2), crash('node'), restart('node'), hasPrinted(1)],
    invariants: { never: (world) => world.process('node').restarts === 0 },
  });
  const { findings } = await search(system, { executions: 1, control: false });
  const printed = (stream: string): number[] =>
    (findings[0]?.trace.events ?? []).flatMap(({ observed = [] }) =>
      observed.flatMap(({ what, content }) => (what === stream ? [Number(content)] : [])),
    );
  const times = printed('stdout');
  expect(times.length).toBeGreaterThanOrEqual(2);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  const pids = printed('stderr').map(String);
  expect(pids.length).toBeGreaterThanOrEqual(1);
  const left = readdirSync('/dev/shm').filter((name) => pids.some((pid) => name.endsWith(`faketime_shm_${pid}`)));
  expect(left).toEqual([]);
});

test('a program with an allocator that asks for the time starts, and doctor says what its clock does', async () => {
  const redis = 'redis-server --bind $address --port $port --dir $dir --save ""';
  const system = defineSystem({
    processes: { redis: command(redis, { port: 6379, connect: tcp(resp()), speed: 5 }), client },
    pace: { roundMs: 5, quietMs: 50 },
    workload: [send('redis', ['PING'])],
  });
  const { findings, unknown } = await search(system, { executions: 1, control: false });
  expect([findings, unknown]).toEqual([[], 0]);
  const results = await doctor(system, { executions: 1 });
  expect(results.find(({ check }) => check === 'speed')?.message).toBe('speed: redis: its clock runs 5 times as fast');
});

const go = `${import.meta.dirname}/../../node_modules/@esbuild/linux-x64/bin/esbuild`;

test.each([
  ['Go', go, '5', `node has a \`speed\`, but ${go} is written in Go`],
  ['Go behind a script', './script', '5', 'node has a `speed`, but ./script is written in Go'],
  ['a static program', '/sbin/ldconfig', '5', 'node has a `speed`, but /sbin/ldconfig is linked statically'],
  ['half the speed', 'cat', '0.5', 'speed is a number from 1 to 1000, not 0.5.'],
])('one sentence and exit code 2 for %s', (_, file, speed, sentence) => {
  const folder = folderWith({
    'a.system.mjs': `import { defineSystem } from 'culprit';
import { command } from 'culprit/live';
export default defineSystem({ processes: { node: command([${JSON.stringify(file)}], { cwd: import.meta.dirname, speed: ${speed} }) } });
`,
  });
  writeFileSync(`${folder}/script`, `#!${go}\n`, { mode: 0o755 });
  const { code, err } = culprit(folder, 'hunt', 'a.system.mjs', '--executions', '1');
  expect(err.replaceAll(/\s+/g, ' ')).toContain(sentence);
  expect(code).toBe(2);
});
