/** Works in the thread pool: it reads files and derives keys. A message asks for answers; the log gets a sign when all are printed. */
import { pbkdf2 } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const log = openSync(process.argv[2] ?? 'log', 'a');
console.error(`pid ${process.pid}`);
const derive = promisify(pbkdf2);

/**
 * About 2,000 rounds take a millisecond.
 * @param {number} ms
 */
async function answer(ms) {
  await derive('key', 'salt', 1 + Math.round(ms * 2_000), 32, 'sha256');
  await readFile(import.meta.filename);
  console.log(JSON.stringify({ to: 'peer', message: ms }));
}

createInterface({ input: process.stdin }).on('line', (line) => {
  void Promise.all(JSON.parse(line).message.work.map(answer)).then(() => writeSync(log, '-'));
});
