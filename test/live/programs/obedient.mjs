/** A program that does what the messages of test/hosts/conformance.ts say. */
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const send = (message) => console.log(JSON.stringify({ to: 'peer', message }));
const set = (value) => console.error(`value ${value}`);

const deeds = {
  set: ({ to }) => set(to),
  send: ({ message }) => send(message),
  'send and change'(order) {
    send(order.message);
    order.message.n = 99;
  },
  change: (order) => void (order.n = 99),
  async await({ to }) {
    // Another thread reads the file.
    await readFile(import.meta.filename);
    set(to);
  },
  throw() {
    throw new Error('thrown on purpose');
  },
  'send later': ({ ms, message }) => setTimeout(send, ms, message),
  exit: () => setTimeout(() => process.exit(1), 10),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { message } = JSON.parse(line);
  await deeds[message.do](message);
}
