#!/usr/bin/env node
// A node for Maelstrom's broadcast: it passes every message on to its neighbors until they confirm it. With FORGETFUL=1 it
// sends each message once and never again.
import { createInterface } from 'node:readline';
import process from 'node:process';

const RETRY_MS = 200;
const retries = process.env.FORGETFUL !== '1';

let node = '';
let neighbors = [];
const messages = new Set();
/** By neighbor: the messages that it has not confirmed. */
const unconfirmed = new Map();

const send = (dest, body) => process.stdout.write(`${JSON.stringify({ src: node, dest, body })}\n`);

function take(message, sender) {
  if (messages.has(message)) return;
  messages.add(message);
  for (const neighbor of neighbors.filter((name) => name !== sender)) {
    unconfirmed.set(neighbor, new Set([...(unconfirmed.get(neighbor) ?? []), message]));
    send(neighbor, { type: 'gossip', message });
  }
}

/** By type: the answer to a message. */
const handlers = {
  init({ node_id }) {
    node = node_id;
    return { type: 'init_ok' };
  },
  topology({ topology }) {
    neighbors = topology[node] ?? [];
    return { type: 'topology_ok' };
  },
  broadcast({ message }, src) {
    take(message, src);
    return { type: 'broadcast_ok' };
  },
  read: () => ({ type: 'read_ok', messages: [...messages] }),
  gossip({ message }, src) {
    take(message, src);
    return { type: 'confirm', message };
  },
  confirm({ message }, src) {
    unconfirmed.get(src)?.delete(message);
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { src, body } = JSON.parse(line);
  const answer = handlers[body.type](body, src);
  if (answer !== undefined) send(src, body.msg_id === undefined ? answer : { ...answer, in_reply_to: body.msg_id });
});

function retry() {
  for (const [neighbor, missing] of unconfirmed)
    for (const message of missing) send(neighbor, { type: 'gossip', message });
}

if (retries) setInterval(retry, RETRY_MS);
