// Listens, prints the lines that it receives, and answers each of them: listener.mjs <port> <address>
import { createServer } from 'node:net';

const print = (/** @type {unknown} */ line) => process.stdout.write(`${String(line)}\n`);

const [port, address] = process.argv.slice(2);
createServer({ allowHalfOpen: true }, (socket) => {
  let unread = '';
  socket.on('data', (chunk) => {
    const lines = (unread + chunk.toString('latin1')).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      print(`line ${line}`);
      socket.write(`${line.replace('ask', 'answer')}\n`);
    }
  });
  socket.on('end', () => {
    print(unread === '' ? 'end' : `end after ${unread}`);
    socket.end();
  });
  socket.on('error', () => print('reset'));
}).listen(Number(port), address, () => print('listening'));
