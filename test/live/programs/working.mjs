/**
 * Works on every message in ways that differ at random: in the thread pool, in child processes, in processes whose parent ends, in
 * bursts of output. It writes to the log file how many pieces of work have begun and ended, in this process and in others.
 */
import { spawn } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { appendFileSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const [, , log] = process.argv;
const descriptor = openSync(log, 'a');
const note = (sign) => writeSync(descriptor, sign);
const say = (message) => console.log(JSON.stringify({ to: 'peer', message }));
const ended = (child) => new Promise((resolve) => child.once('exit', resolve));
const shell = (script) => spawn('/bin/sh', ['-c', script, 'sh', log], { stdio: ['ignore', 'inherit', 'inherit'] });

/** Each kind of work ends the pieces that it began: the log has as many - as +. */
const kinds = {
  async pool(times) {
    for (let at = 0; at < times; at++) await promisify(pbkdf2)('a', 'b', 500 * (at + 1), 32, 'sha256');
    await readFile(import.meta.filename);
    say('pool');
  },
  async child(times) {
    await ended(shell(`i=0; while [ $i -lt ${times * 300} ]; do i=$((i + 1)); done`));
    say('child');
  },
  /** The work is done by a process whose parent has ended. */
  async orphan(times) {
    note('+');
    await ended(shell(`(i=0; while [ $i -lt ${times * 2000} ]; do i=$((i + 1)); done; printf -- - >> "$1") &`));
  },
  async output(times) {
    // More than a pipe holds, so that the writer waits for the reader.
    for (let at = 0; at < times; at++) say('x'.repeat(40_000));
    await new Promise((resolve) => process.stdout.write('', resolve));
  },
  async nothing() {},
};

for await (const line of createInterface({ input: process.stdin })) {
  const { message } = JSON.parse(line);
  note('+');
  Promise.all(message.work.map(([kind, times]) => kinds[kind](times))).then(() => appendFileSync(log, '-'));
}
