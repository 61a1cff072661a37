/** Programs that misbehave, by name: `node misbehaving.mjs floods`. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [, , name, ...rest] = process.argv;
const say = (message) => console.log(JSON.stringify({ to: 'peer', message }));
const forever = () => setInterval(() => undefined, 1 << 30);

/** A process that leaves the group of its parent and outlives it. */
const grandchild = (env) =>
  spawn(process.execPath, ['-e', 'setInterval(() => 0, 1 << 30)', ...rest], {
    detached: true,
    stdio: 'ignore',
    env,
  }).unref();

const programs = {
  'is never ready': forever,
  'exits at once'() {
    console.error('no license found');
    process.exitCode = 7;
  },
  'ignores SIGTERM'() {
    process.on('SIGTERM', () => console.error('not now'));
    forever();
  },
  'floods its output'() {
    for (let line = 0; line < 200_000; line++) console.error(`line ${line}`);
    forever();
  },
  'prints without end'() {
    process.stderr.write('x'.repeat(5_000_000));
    forever();
  },
  'has a grandchild'() {
    grandchild(process.env);
    forever();
  },
  'hides a grandchild'() {
    grandchild({ PATH: process.env.PATH });
    forever();
  },
  // A shell, because it starts processes fast.
  'hides more and more grandchildren'() {
    spawn('/bin/sh', ['-c', 'while :; do sleep "$0" & sleep 0.01; done', ...rest], {
      detached: true,
      stdio: 'ignore',
      env: { PATH: process.env.PATH },
    }).unref();
    forever();
  },
  'prints no JSON'() {
    console.log('{"to": "peer", "mess');
    forever();
  },
  'writes to nobody'() {
    console.log(JSON.stringify({ to: 'nobody', message: 1 }));
    forever();
  },
  async 'answers late'() {
    for await (const line of createInterface({ input: process.stdin })) setTimeout(say, 300, JSON.parse(line).message);
  },
  'does not read'() {
    forever();
  },
  'ends its input'() {
    process.stdin.destroy();
    forever();
  },
};

console.error(`pid ${process.pid}`);
programs[name]();
