// Connects, and follows a script: speaker.mjs <port> <address> [say <text> | flood <lines> | hear | end | reset | bind <address> | detach]…
import { spawn } from 'node:child_process';
import { connect } from 'node:net';

const print = (/** @type {unknown} */ line) => process.stdout.write(`${String(line)}\n`);

const [port = '', host = '', ...script] = process.argv.slice(2);
// It stays, also if its connection is reset before it is open.
setInterval(() => undefined, 1e6);
if (script[0] === 'detach') {
  // A process of its own, which does not belong to its parent any more.
  const args = [String(process.argv[1]), port, host, ...script.slice(1)];
  spawn(process.execPath, args, { detached: true, stdio: 'inherit' }).unref();
} else {
  const localAddress = script[0] === 'bind' ? script.splice(0, 2)[1] : undefined;
  const socket = connect({ port: Number(port), host, localAddress, allowHalfOpen: true });
  let unread = '';
  /** @type {string[]} */
  const heard = [];
  let hear = () => {};
  socket.on('data', (chunk) => {
    const lines = (unread + chunk.toString()).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      print(`line ${line}`);
      heard.push(line);
    }
    hear();
  });
  socket.on('end', () => print('end'));
  socket.on('error', (error) => print('code' in error ? error.code : error));
  await new Promise((resolve) => socket.once('connect', resolve));
  for (let at = 0; at < script.length; at++) {
    if (script[at] === 'say') socket.write(String(script[++at]).replaceAll('\\n', '\n'));
    if (script[at] === 'flood')
      for (let left = Number(script[++at]); left > 0; left--) socket.write(`ask ${'x'.repeat(100_000)}\n`);
    if (script[at] === 'hear')
      while (heard.shift() === undefined) await new Promise((resolve) => (hear = () => resolve(undefined)));
    if (script[at] === 'end') socket.end();
    if (script[at] === 'reset') socket.resetAndDestroy();
  }
}
