/** Works in the main thread. A message asks for answers; the log gets a sign when all are printed. */
import { openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const log = openSync(process.argv[2] ?? 'log', 'a');
console.error(`pid ${process.pid}`);

for await (const line of createInterface({ input: process.stdin })) {
  for (const ms of JSON.parse(line).message.work) {
    const until = performance.now() + ms;
    while (performance.now() < until);
    console.log(JSON.stringify({ to: 'peer', message: ms }));
  }
  writeSync(log, '-');
}
