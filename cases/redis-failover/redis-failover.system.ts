import { defineSystem, generate, linearizable, models, send } from 'culprit';
import { command, fingerprintOf, resp } from 'culprit/live';
import fc from 'fast-check';
import { client } from './client.ts';
import { operator } from './operator.ts';
import { primaryLine, primaryOptions, redisWords, replicaLine, replicaOptions } from './redis.ts';

const write = fc.integer({ min: 1, max: 9 }).map((value) => send('client', { type: 'write', value }));
const read = fc.constant(send('client', { type: 'read' }));

/** Of the client, stories show only which server it uses. */
const serverChange = (before: { server?: string | undefined }, after: { server?: string | undefined }): string[] =>
  before.server === after.server ? [] : [`uses ${after.server ?? 'no server'}`];

const parameters = { waits: false, requests: 4, partitions: 1 };

/**
 * Two servers of Redis, one the replica of the other, a client, and an operator who fails over to the replica. The link between the
 * servers may be cut.
 */
export default defineSystem(parameters, ({ waits, requests, partitions }) =>
  defineSystem({
    processes: {
      primary: command(primaryLine, primaryOptions),
      replica: command(replicaLine, replicaOptions),
      client: client(waits),
      operator,
    },
    links: [['primary', 'replica']],
    faults: { partitions },
    pace: { roundMs: 50, quietMs: 250 },
    workload: [
      generate(requests, [2, write], [1, read]),
      send('operator', { type: 'failover' }),
      send('client', { type: 'read' }),
    ],
    oracles: { register: linearizable(models.register()) },
    // Without a server there is nothing to see, which every candidate would take a second to find out.
    minimize: { fingerprint: fingerprintOf(resp()), keep: ({ kind }) => kind === 'start' },
    phrases: { messageName: redisWords, changes: serverChange },
  }),
);
