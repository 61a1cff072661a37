/**
 * A controller of OpenFlow 1.0: `node node-controller.mjs <address> <port>`. It asks switches for their ports, configures them, and learns
 * at which port each station is; its entries never expire. At the next port, which it prints, everybody who connects gets its counts as JSON.
 */
import { createServer } from 'node:net';
import { Decoder, flowMod, openflow10, output, packetOut, parseFrame } from 'culprit/networks';

const [address, port] = [process.argv[2], Number(process.argv[3])];

/** Switches whose handshake is complete, and messages of all of them. */
const counts = { connected: 0, portStatus: 0, packetIns: 0, errors: 0 };

/** What a switch may send, and the answers. `ports` are those at which stations of the switch are. */
const answers = {
  hello: ({ xid }) => [
    { type: 'hello', xid, version: 1, elements: '' },
    { type: 'features_request', xid: 1 },
  ],
  features_reply: () => [
    { type: 'set_config', xid: 2, flags: [], missSendLen: 128 },
    { type: 'barrier_request', xid: 3 },
  ],
  barrier_reply: () => count('connected'),
  port_status: () => count('portStatus'),
  error: () => count('errors'),
  echo_request: ({ xid, data }) => [{ type: 'echo_reply', xid, data }],
  packet_in(packet, ports) {
    count('packetIns');
    const { dlSrc, dlDst } = parseFrame(packet.data);
    ports.set(dlSrc, packet.inPort);
    const known = ports.get(dlDst);
    if (known === undefined) return [packetOut(packet, [output('flood')])];
    const { inPort, bufferId } = packet;
    return [flowMod({ match: { inPort, dlSrc, dlDst }, actions: [output(known)], bufferId })];
  },
};

function count(what) {
  counts[what] += 1;
  return [];
}

const switches = createServer({ noDelay: true }, (socket) => {
  const decoder = new Decoder(openflow10);
  const ports = new Map();
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    const messages = decoder.push(chunk).flatMap(({ message }) => answers[message?.type]?.(message, ports) ?? []);
    if (messages.length > 0) socket.write(Buffer.concat(messages.map((message) => openflow10.encode(message))));
  });
});

const reporter = createServer((socket) => socket.end(JSON.stringify(counts)));
reporter.listen(port + 1, address, () => {
  console.log(`counts at ${address}:${port + 1}`);
  switches.listen(port, address);
});
