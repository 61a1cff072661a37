// A controller that shares what it knows with other programs, in lines of JSON.
// Arguments: address, port of OpenFlow, port for peers, and the addresses of peers, such as 127.1.1.2:7000.
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';

const [address, port, peerPort, ...peers] = process.argv.slice(2);
const HELLO = 0;
const FEATURES_REQUEST = 5;
const FEATURES_REPLY = 6;
const HEADER = 8;
const RETRY_MS = 50;

/** The switches of this controller. */
const own = new Set();
const connections = new Set();

const say = (socket, message) => socket.write(`${JSON.stringify(message)}\n`);

function join(socket, peer) {
  connections.add(socket);
  console.log(`joins ${peer}`);
  for (const dpid of own) say(socket, { type: 'has', dpid });
  const lines = createInterface(socket).on('error', () => {});
  lines.on('line', (line) => {
    const { type, dpid } = JSON.parse(line);
    console.log(`hears ${type} ${dpid}`);
  });
  socket.on('close', () => {
    connections.delete(socket);
    console.log(`loses ${peer}`);
  });
  socket.on('error', () => {});
}

function reach(peer) {
  const [host, at] = peer.split(':');
  const socket = connect({ host, port: Number(at) });
  socket.on('error', () => {});
  socket.on('connect', () => join(socket, at));
  socket.on('close', () => setTimeout(reach, RETRY_MS, peer));
}

function take(dpid) {
  own.add(dpid);
  console.log(`has ${dpid}`);
  for (const socket of connections) say(socket, { type: 'has', dpid });
}

function control(socket) {
  const ask = (type) => socket.write(Buffer.from([1, type, 0, HEADER, 0, 0, 0, 1]));
  let unread = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    unread = Buffer.concat([unread, chunk]);
    while (unread.length >= HEADER && unread.length >= unread.readUInt16BE(2)) {
      const message = unread.subarray(0, unread.readUInt16BE(2));
      unread = unread.subarray(message.length);
      if (message[1] === HELLO) ask(FEATURES_REQUEST);
      if (message[1] === FEATURES_REPLY) take(Number(message.readBigUInt64BE(HEADER)));
    }
  });
  ask(HELLO);
}

if (peerPort !== '0') createServer((socket) => join(socket, 'a peer')).listen(Number(peerPort), address);
createServer(control).listen(Number(port), address);
for (const peer of peers) reach(peer);
