/** Counts its lives in a file, and on request sends numbers by itself, or the number of its lives. */
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

appendFileSync('lives', '+');
const send = (message) => console.log(JSON.stringify({ to: 'peer', message }));

let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  if (JSON.parse(line).message === 'count') setInterval(() => send((count += 1)), 20);
  else send(readFileSync('lives').length);
}
