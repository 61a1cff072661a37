// A controller that misbehaves in the way that its first argument names. It listens at the address and port that follow.
import { createServer } from 'node:net';

const [way, address, port] = process.argv.slice(2);

/** The bytes of a message of OpenFlow: version, type, length, number, body. */
function message(type, body = '', version = 1) {
  const bytes = Buffer.from(body, 'hex');
  const header = Buffer.alloc(8);
  header.writeUInt8(version, 0);
  header.writeUInt8(type, 1);
  header.writeUInt16BE(8 + bytes.length, 2);
  return Buffer.concat([header, bytes]);
}

const HELLO = 0;
const ERROR = 1;
const FEATURES_REQUEST = 5;
const FEATURES_REPLY = 6;
const PACKET_IN = 10;

/** No buffer, from no port, no actions, an empty packet: it does nothing. */
const packetOut = message(13, 'ffffffffffff0000');

const begins = {
  'never answers': () => undefined,
  'speaks 1.3 only': (socket) => socket.write(message(HELLO, '0001000800000010', 4)),
  'refuses 1.0': (socket) => socket.write(Buffer.concat([message(HELLO), message(ERROR, '00000000')])),
  'sends half a message': (socket) => socket.end(Buffer.concat([message(HELLO), packetOut.subarray(0, 11)])),
  'sends an unknown type': (socket) => socket.write(Buffer.concat([message(HELLO), message(99)])),
  floods: (socket) => {
    socket.write(message(HELLO));
    const many = Buffer.concat(Array.from({ length: 4096 }, () => packetOut));
    const flood = () => {
      while (!socket.destroyed && socket.write(many)) continue;
    };
    socket.on('drain', flood);
    flood();
  },
};

const begin = begins[way] ?? ((socket) => socket.write(Buffer.concat([message(HELLO), message(FEATURES_REQUEST)])));

/** Calls back with the type of every message. */
function eachType(socket, call) {
  let unread = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    unread = Buffer.concat([unread, chunk]);
    while (unread.length >= 8 && unread.length >= unread.readUInt16BE(2)) {
      const type = unread[1];
      unread = unread.subarray(unread.readUInt16BE(2));
      call(type);
    }
  });
}

if (way === 'ignores SIGTERM') process.on('SIGTERM', () => undefined);

createServer((socket) => {
  socket.on('error', () => undefined);
  console.error(`a switch connects from ${socket.remoteAddress}`);
  begin(socket);
  eachType(socket, (type) => {
    if (way === 'closes after features' && type === FEATURES_REPLY) socket.end();
    if (way === 'dies at a packet' && type === PACKET_IN) {
      console.error('no route');
      process.exit(3);
    }
  });
}).listen(Number(port), address);
