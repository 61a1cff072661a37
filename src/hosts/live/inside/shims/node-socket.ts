import { connect } from 'node:net';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';

/**
 * The thread in which the shim of a Node program speaks with culprit. The program itself may wait for an answer, which stops its event loop.
 */

/** The memory that both threads share: whether there is an answer, and the answer. */
export interface Answer {
  readonly isThere: Int32Array;
  readonly value: Float64Array;
}

/** What this thread says to the program: it is connected, or cannot be; a timer fires. */
export type FromSocket = { readonly failed?: string; readonly timer?: string };

const program = parentPort as MessagePort;
const { path, answer } = workerData as { readonly path: string; readonly answer: Answer };
const socket = connect(path);
let unread = '';

socket.setEncoding('utf8');
socket.on('connect', () => say({}));
socket.on('error', ({ message }) => say({ failed: message }));
// Culprit is gone, and ends the program soon: until then, nothing may wait for an answer.
socket.on('close', () => give(0));
socket.on('data', (text: string) => {
  const lines = (unread + text).split('\n');
  unread = lines.pop() ?? '';
  for (const line of lines) take(JSON.parse(line) as { readonly timer?: string; readonly value?: number });
});
program.on('message', (line: object) => {
  if (socket.destroyed) give(0);
  else socket.write(`${JSON.stringify(line)}\n`);
});

function say(what: FromSocket): void {
  program.postMessage(what);
}

function take({ timer, value = 0 }: { readonly timer?: string; readonly value?: number }): void {
  if (timer === undefined) give(value);
  else say({ timer });
}

function give(value: number): void {
  answer.value[0] = value;
  Atomics.store(answer.isThere, 0, 1);
  Atomics.notify(answer.isThere, 0);
}
