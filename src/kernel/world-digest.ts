import { chained, digestData, summed } from '../trace/data-digest.ts';
import { digestNumber, digestText, type Digest } from '../trace/digest.ts';
import type { Internal } from '../trace/event.ts';
import type { Channel } from './channel.ts';
import type { LiveWorld } from './live-world.ts';
import type { Process } from './process.ts';

/**
 * Equal for worlds from which the same can happen, whatever led there: states, disks, what is pending, links, random
 * numbers, and how many faults there may still be. Time counts only where a handler has read it, because it never comes
 * back. What suspended code knows cannot be seen: there, all that happened to its process stands for it.
 */
export function worldDigest(world: LiveWorld): Digest {
  return summed(digestData(world.spent), [
    ...world.processes.map((process) => digestProcess(world, process)),
    ...world.channels.flatMap((channel) => digestChannel(world, channel)),
    ...[...world.limbo, ...world.births].map((event) => digestPending(world, event)),
    digestNumber(world.clockRead ? world.nowMs : 0),
  ]);
}

function digestProcess(world: LiveWorld, process: Process): Digest {
  const { name, status, restarts, spawned, random, clockMs, step } = process;
  const isSuspended = process.suspended > 0 || process.awaited > 0;
  const facts = [name, status, restarts, spawned, random?.position ?? '', ...(world.clockRead ? [clockMs, step] : [])];
  return chained(digestText(facts.join(' ')), [
    isSuspended ? process : digestData(process.state),
    digestData(process.disk),
    digestData(process.asked),
    summed(
      NO_TIMERS,
      process.timers.map((event) => digestPending(world, event)),
    ),
    ...process.operations.map((event) => digestPending(world, event)),
  ]);
}

const NO_TIMERS = digestText('timers');

/** An idle link that works says nothing. */
function digestChannel(world: LiveWorld, channel: Channel | undefined): Digest[] {
  if (channel === undefined || (channel.size === 0 && !channel.cut)) return [];
  const link = digestText(`${channel.at} ${channel.fromAt} ${String(channel.cut)}`);
  const messages = channel.list().map((event) => digestPending(world, event));
  // In their order only where that is the order in which they arrive.
  return [world.declaration.transport.order === 'fifo' ? chained(link, messages) : summed(link, messages)];
}

function digestPending(world: LiveWorld, event: Internal): Digest {
  switch (event.kind) {
    case 'deliver':
      return chained(digestText(`deliver ${event.from} ${event.process} ${event.ask} ${event.reply}`), [
        digestData(event.message),
      ]);
    case 'return':
      return chained(digestText(`return ${event.to} ${event.process} ${event.ask}`), [digestData(event.message)]);
    case 'fire':
      return digestText(`fire ${event.timer} ${event.everyMs} ${dueMs(world, event.deadlineMs)}`);
    case 'complete':
      return chained(digestText(`${event.operation} ${event.key} ${dueMs(world, event.deadlineMs)}`), [
        digestData(event.value),
      ]);
    case 'spawn':
      return chained(digestText(`spawn ${event.process} ${event.of}`), [digestData(event.args)]);
  }
}

/** In virtual time it matters how long a timer still has; elsewhere any may be the next. */
const dueMs = ({ declaration, nowMs }: LiveWorld, deadlineMs: number): number =>
  declaration.timers === 'any' ? 0 : deadlineMs - nowMs;
