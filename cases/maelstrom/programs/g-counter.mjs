#!/usr/bin/env node
// A node for Maelstrom's g-counter. Each node keeps the sum of its own additions in seq-kv, under its name; a read adds them
// up. With FORGETFUL=1 it keeps its sum in memory and only writes it to seq-kv: a restart forgets what was there.
import { createInterface } from 'node:readline';
import process from 'node:process';

const forgets = process.env.FORGETFUL === '1';

let node = '';
let nodes = [];
let nextId = 1;
let sum = 0;
/** By msg_id: what to do with the answer to a request of ours. */
const waiting = new Map();

const send = (dest, body) => process.stdout.write(`${JSON.stringify({ src: node, dest, body })}\n`);

/** Asks seq-kv. A request that is not answered leaves its client without an answer. */
const ask = (request) =>
  new Promise((resolve) => {
    const msg_id = nextId++;
    waiting.set(msg_id, resolve);
    send('seq-kv', { ...request, msg_id });
  });

const valueOf = async (key) => (await ask({ type: 'read', key })).value ?? 0;

/** Adds to the sum of this node, unless an earlier life of it came in between. */
async function add(delta) {
  if (forgets) {
    sum += delta;
    await ask({ type: 'write', key: node, value: sum });
    return;
  }
  for (;;) {
    const before = await valueOf(node);
    const change = { type: 'cas', key: node, from: before, to: before + delta, create_if_not_exists: true };
    if ((await ask(change)).type === 'cas_ok') return;
  }
}

/** A write makes seq-kv show us its newest state. */
async function read() {
  await ask({ type: 'write', key: `read by ${node}`, value: nextId });
  let total = 0;
  for (const name of nodes) total += await valueOf(name);
  return total;
}

/** By type: the answer to a message. */
const handlers = {
  init({ node_id, node_ids }) {
    node = node_id;
    nodes = node_ids;
    return { type: 'init_ok' };
  },
  async add({ delta }) {
    await add(delta);
    return { type: 'add_ok' };
  },
  async read() {
    return { type: 'read_ok', value: await read() };
  },
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { src, body } = JSON.parse(line);
  if (body.in_reply_to !== undefined) {
    waiting.get(body.in_reply_to)?.(body);
    waiting.delete(body.in_reply_to);
    return;
  }
  send(src, { ...(await handlers[body.type](body)), in_reply_to: body.msg_id });
});
