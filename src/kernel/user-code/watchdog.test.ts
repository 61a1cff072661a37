import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** A process of its own: there is one watching thread in each, and this one is slow to connect to the debugger. */
const program = `
  import { startThread, watchForHangs } from './src/kernel/user-code/watchdog.ts';

  const busy = (ms) => {
    for (const until = Date.now() + ms; Date.now() < until; );
  };
  const slowly = \`
    const { Session } = require('node:inspector');
    const connect = Session.prototype.connectToMainThread;
    Session.prototype.connectToMainThread = function () {
      for (const until = Date.now() + 100; Date.now() < until; );
      return connect.call(this);
    };
  \`;
  startThread({ program: slowly, data: {} });
  await new Promise((resolve) => setTimeout(resolve, 300));

  /** Runs for longer than it may, and returns. */
  const watched = () =>
    new Promise((resolve) => {
      const watch = watchForHangs({ limitMs: 20, boundMs: 20, isMeasured: false }, () => resolve(watch.end()));
      watch.beat();
      queueMicrotask(() => {
        busy(60);
        watch.end();
        resolve();
      });
    });

  /** Nobody watches this: it must run to its end. */
  const unwatched = () =>
    new Promise((resolve) => {
      let turns = 0;
      const turn = () => {
        busy(1);
        turns += 1;
        if (turns < 200) setImmediate(turn);
        else resolve();
      };
      setImmediate(turn);
    });

  let done = 0;
  for (let times = 0; times < 3; times++) {
    await watched();
    await unwatched();
    done += 1;
  }
  console.log(done + ' times');
`;

test('code that returns before the watching thread can end it is over: no other code is ended in its place', async () => {
  const node = ['--import', './tools/source/register.mjs', '--input-type=module', '--eval', program];
  expect((await promisify(execFile)(process.execPath, node)).stdout).toBe('3 times\n');
});
