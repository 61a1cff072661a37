import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const register = fileURLToPath(new URL('../../../../tools/source/register.mjs', import.meta.url));
const reset = JSON.stringify(new URL('connection-end.ts', import.meta.url).href);

/** Resets a connection, here after our end of it was announced but before the machine has done so. */
const script = `
  import { connect, createServer } from 'node:net';
  const { reset } = await import(${reset});
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.end();
    reset(socket);
    server.close(() => console.log('closed'));
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined).resume();
  });
`;

test('a script exits by itself after it has reset a connection that was ending', async () => {
  const run = promisify(execFile)(process.execPath, ['--import', register, '--input-type=module', '-e', script]);
  expect(await run).toEqual({ stdout: 'closed\n', stderr: '' });
});
