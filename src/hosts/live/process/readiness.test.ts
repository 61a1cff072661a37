import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { isFreeSoon } from './readiness.ts';

test('an address at which a program is about to end is free soon, and one that is served for good is not', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { address, port } = server.address() as AddressInfo;
  expect(await isFreeSoon({ address, port })).toBe(false);
  const answer = isFreeSoon({ address, port });
  server.close();
  expect(await answer).toBe(true);
});
