// Tells each of its clients what the others say, in lines of JSON. Arguments: address and port.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const clients = new Set();
createServer((socket) => {
  clients.add(socket);
  socket.on('close', () => clients.delete(socket)).on('error', () => {});
  const lines = createInterface(socket).on('error', () => {});
  lines.on('line', (line) => {
    console.log(`keeps ${line}`);
    for (const client of clients) if (client !== socket) client.write(`${line}\n`);
  });
}).listen(Number(process.argv[3]), process.argv[2]);
