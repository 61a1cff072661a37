import { search, untilQuiet } from 'culprit';
import { readTrace, type Trace } from 'culprit/trace';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { controllerBehavior } from '../controller/controller-behavior.ts';
import { output } from '../controller/packet-outs.ts';
import { defineNetwork } from '../network/define-network.ts';
import { receivedBy } from '../network/world-of-stations.ts';
import { fieldsOf } from '../switch/packet-fields.ts';
import type { FlowTable } from '../switch/flow-table.ts';
import { entryFor } from '../switch/table-lookup.ts';
import { linear } from '../topology/line.ts';
import { flowWords } from '../words/flow-words.ts';
import { StationNames } from '../words/station-names.ts';
import { packetTrace } from './packet-trace.ts';
import { recordedStates } from './recorded-states.ts';

const learner = controllerBehavior<{ ports: Record<string, number> }>({
  start: () => ({ ports: {} }),
  packetIn({ ports }, packet, from) {
    const { inPort, frame } = packet;
    ports[`${from.name} ${frame.dlSrc}`] ??= inPort;
    const port = ports[`${from.name} ${frame.dlDst}`];
    if (port === undefined || port === inPort) from.sendPacket(packet, [output('flood')]);
    else from.addFlow({ match: { dlSrc: frame.dlSrc, dlDst: frame.dlDst }, actions: [output(port)], packet });
  },
});

/** Every station pings every other one, again and again: first packets are flooded, then entries lead them. */
const pinging = defineNetwork({
  topology: linear(3),
  controllers: { c1: learner },
  traffic: (net) => [1, 2, 3].flatMap(() => net.allToAll().flatMap((ping) => [ping, untilQuiet()])),
  invariants: { few: (world) => receivedBy(world, 'h1').frames < 7 || 'h1 got many' },
});

/** The slow twin: what the switch's own lookup says of each frame, in the table before it. */
function lookedUp(trace: Trace): Map<number, string | undefined> {
  const names = new StationNames(trace.header.topology?.stations);
  const found = new Map<number, string | undefined>();
  for (const { line, before } of recordedStates(trace.events)) {
    const message =
      line.kind === 'deliver' ? (line.message as { type: string; packet: string; port: number }) : undefined;
    if (message?.type !== 'frame' || before === undefined) continue;
    const fields = fieldsOf(Buffer.from(message.packet, 'hex'), message.port);
    const entry = fields && entryFor((before as { table: FlowTable }).table, fields);
    found.set(line.event, entry && flowWords(entry, names, { allPriorities: true }));
  }
  return found;
}

test.each([1, 2])('every hop names the entry that the switch itself finds (seed %i)', async (seed) => {
  const { findings } = await search(pinging, { seed, executions: 1 });
  const trace = findings[0]?.trace as Trace;
  const expected = lookedUp(trace);
  const sent = trace.events.filter(({ kind }) => kind === 'send').map(({ event }) => event);
  const hops = sent
    .flatMap((event) => packetTrace(trace, event))
    .filter(({ event, isStation }) => expected.has(event) && isStation !== true);
  const arrived = hops.filter(({ fate }) => fate === 'arrived');
  for (const { event, entry, isMiss } of arrived)
    expect([event, entry, isMiss === true]).toEqual([event, expected.get(event), expected.get(event) === undefined]);
  expect(arrived.some(({ entry }) => entry !== undefined) && arrived.some(({ isMiss }) => isMiss === true)).toBe(true);
  // Each frame that arrived is a hop of some packet.
  expect(new Set(arrived.map(({ event }) => event))).toEqual(new Set(expected.keys()));
});

test('an event without a packet is refused, with events that have one', () => {
  const url = new URL('../../../cases/learning-switch/best/keeps.trace', import.meta.url);
  const trace = readTrace(readFileSync(url, 'utf8'), url.pathname);
  expect(() => packetTrace(trace, 1)).toThrow('event 1 is about no packet.');
  expect(() => packetTrace(trace, 999)).toThrow('there is no event 999.');
});
