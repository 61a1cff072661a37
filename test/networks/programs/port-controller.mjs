// A controller that ends when port 1 of switch 1 comes up after it went down. It listens at the address and port of its arguments.
import { createServer } from 'node:net';

const [address, port] = process.argv.slice(2);

/** Messages of OpenFlow without a body: version, type, length, number. */
const message = (type) => Buffer.from([1, type, 0, 8, 0, 0, 0, 1]);

const [HELLO, FEATURES_REQUEST, FEATURES_REPLY, PORT_STATUS] = [0, 5, 6, 12];
/** Where the parts of a message are. */
const [DATAPATH_ID, PORT_NUMBER, PORT_STATE] = [8, 16, 44];

createServer((socket) => {
  let unread = Buffer.alloc(0);
  let datapathId = 0n;
  let wasDown = false;
  const take = (bytes) => {
    if (bytes[1] === FEATURES_REPLY) datapathId = bytes.readBigUInt64BE(DATAPATH_ID);
    if (bytes[1] !== PORT_STATUS || datapathId !== 1n || bytes.readUInt16BE(PORT_NUMBER) !== 1) return;
    const isDown = (bytes.readUInt32BE(PORT_STATE) & 1) === 1;
    if (!isDown && wasDown) process.exit(1);
    wasDown = isDown;
  };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    unread = Buffer.concat([unread, chunk]);
    while (unread.length >= 8 && unread.length >= unread.readUInt16BE(2)) {
      const length = unread.readUInt16BE(2);
      take(unread.subarray(0, length));
      unread = unread.subarray(length);
    }
  });
  socket.write(Buffer.concat([message(HELLO), message(FEATURES_REQUEST)]));
}).listen(Number(port), address);
