import type { Session } from 'culprit/kernel';
import type { Event } from 'culprit/trace';
import { raftLike } from '../raft-like.ts';
import type { Measured } from '../row.ts';
import { run } from '../run.ts';
import { exposedGc } from '../timing.ts';
import { WithClients } from '../with-clients.ts';

const LENGTHS = [250_000, 500_000, 750_000, 1_000_000];

/**
 * The memory of an execution, and the memory of its list of events alone. The difference is what the kernel holds
 * beyond the recording; it must not grow with the length.
 */
export async function memory(): Promise<Measured[]> {
  await run(raftLike('any'), new WithClients(raftLike('any'), 1), 1000);
  const measured: Measured[] = [];
  for (const length of LENGTHS) {
    const { heap, recording } = await heapOf(length);
    const name = `after ${length.toLocaleString('en-US')} events`;
    measured.push(
      { case: name, metric: 'heap', value: heap / MEGABYTE, unit: 'MB' },
      { case: name, metric: 'heap per event', value: heap / length, unit: 'bytes' },
      {
        case: name,
        metric: 'heap beyond the recording',
        value: (heap - recording) / MEGABYTE,
        unit: 'MB',
        target: 'flat',
      },
    );
  }
  return measured;
}

const MEGABYTE = 1_000_000;

async function heapOf(length: number): Promise<{ readonly heap: number; readonly recording: number }> {
  const before = heapUsed();
  const held: Held = {};
  await execute(held, length);
  const heap = heapUsed() - before;
  keepEvents(held);
  const recording = heapUsed() - before;
  if (held.events?.length !== length) throw new Error('the recording is not complete');
  return { heap, recording };
}

/**
 * The live heap. Functions of their own hold the temporary values, so that their frames are gone at the measurement.
 */
interface Held {
  session?: Session;
  events?: Event[];
}

async function execute(held: Held, length: number): Promise<void> {
  const system = raftLike('any');
  held.session = await run(system, new WithClients(system, 1), length);
}

/** A list that grew event by event has the same spare capacity as the recording's own. */
function keepEvents(held: Held): void {
  held.events = [];
  for (const event of held.session?.recording.events.since(0) ?? []) held.events.push(event);
  delete held.session;
}

function heapUsed(): number {
  // The first collection leaves objects with finalizers, the second does not.
  exposedGc()();
  exposedGc()();
  return process.memoryUsage().heapUsed;
}
