import { crash, generate, restart, send } from 'culprit';
import fc from 'fast-check';
import type { Message } from './messages.ts';

const request = (to: string, value: string) => send<Message>(to, { type: 'REQUEST', value });

/** Clients write X on C, then Y on B, then Z on A; in between, servers crash and come back, any of them. */
export function workloadOf(writes: number, outages: number) {
  const requests = [request('C', 'X'), request('B', 'Y'), request('A', 'Z')].slice(0, writes);
  const anyServer = fc.constantFrom('A', 'B', 'C');
  const outage = generate(outages, [1, anyServer.map(crash)], [1, anyServer.map(restart)]);
  return requests.flatMap((each) => [each, outage]);
}
