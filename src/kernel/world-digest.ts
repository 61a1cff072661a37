import { DataDigest } from '../trace/data-digest.ts';
import { mixHi, mixLo, type Digest } from '../trace/digest.ts';
import type { Internal } from '../trace/event.ts';
import type { Channel, InFlight } from './network/channel.ts';
import type { LiveWorld } from './live-world.ts';
import type { Process } from './process.ts';

/**
 * Equal for worlds from which the same can happen, whatever led there: states, disks, what is pending, links, random
 * numbers, and how many faults there may still be. Time counts only where a handler has read it, because it never comes
 * back; or where the caller wants it to. What suspended code and opaque objects know cannot be seen: all that happened to their
 * process stands for it. Ordered: worlds whose states differ in the order of keys are told apart, as handlers may go by that.
 */
export function worldDigest(live: LiveWorld, isTimed = live.clockRead, isOrdered = false): Digest {
  const digest = new DataDigest(isOrdered);
  const sum = new Sum();
  const world: SeenObjects = { live, isTimed };
  sum.add(digest.data(live.spent));
  for (const process of live.processes) sum.add(digestProcess(world, process, digest));
  for (const channel of live.channels) {
    // An idle link that works says nothing.
    if (channel.size > 0 || channel.cut) sum.add(digestChannel(world, channel, digest));
  }
  for (const [at, event] of live.limbo.entries()) sum.add(digestPending(world, event, digest).word(behind(live, at)));
  for (const event of live.births) sum.add(digestPending(world, event, digest));
  if (isTimed) sum.add(digest.data(live.nowMs));
  return sum;
}

/** A world, and whether its time counts. */
interface SeenObjects {
  readonly live: LiveWorld;
  readonly isTimed: boolean;
}

/** How many messages from the same sender wait for the same process and were sent before, where that counts. */
function behind({ limbo, declaration }: LiveWorld, at: number): number {
  if (declaration.transport.order !== 'fifo') return 0;
  const { process, fromAt } = limbo[at] as InFlight;
  return limbo.slice(0, at).filter((other) => other.process === process && other.fromAt === fromAt).length;
}

/** Does not depend on the order. */
class Sum implements Digest {
  hi = 0;
  lo = 0;

  add({ hi, lo }: Digest): void {
    this.hi = (this.hi + mixHi(hi, lo)) | 0;
    this.lo = (this.lo + mixLo(lo, hi)) | 0;
  }
}

function digestProcess(world: SeenObjects, process: Process, digest: DataDigest): Digest {
  const { name, at, status, restarts, spawned, random, state, disk, asked, timers, operations } = process;
  const pending = new Sum();
  for (const timer of timers) pending.add(digestPending(world, timer, digest));
  // Who joined first comes first wherever processes are listed.
  digest.data(name).word(at).and(status).word(restarts).word(spawned).word(pending.hi).word(pending.lo);
  for (const operation of operations) {
    const { hi, lo } = digest;
    digestPending(world, operation, digest).after(hi, lo);
  }
  if (random !== undefined) digest.and(random.position);
  if (world.isTimed) digest.and(process.clockMs).word(process.step);
  if (disk.size > 0) digest.and(disk);
  if (asked.length > 0) digest.and(asked);
  return process.isCopyable ? digest.and(state) : digest.word(process.hi).word(process.lo);
}

function digestChannel(world: SeenObjects, channel: Channel, digest: DataDigest): Digest {
  const isOrdered = world.live.declaration.transport.order === 'fifo';
  const messages = new Sum();
  for (const [at, event] of channel.list().entries()) {
    digestPending(world, event, digest);
    messages.add(isOrdered ? digest.word(at) : digest);
  }
  return digest
    .data('link')
    .word(channel.at)
    .word(channel.fromAt)
    .word(Number(channel.cut))
    .word(messages.hi)
    .word(messages.lo);
}

function digestPending(world: SeenObjects, event: Internal, digest: DataDigest): DataDigest {
  digest.data(event.kind).and(event.process);
  switch (event.kind) {
    case 'deliver':
      if (world.isTimed) digest.and(event.sentMs);
      return digest.and(event.from).word(event.ask).word(event.reply).and(event.message);
    case 'return':
      return digest.and(event.to).word(event.ask).and(event.message);
    case 'fire':
      return digest.and(event.timer).and(event.everyMs).and(dueMs(world, event.deadlineMs));
    case 'complete':
      return digest.and(event.operation).and(event.key).and(dueMs(world, event.deadlineMs)).and(event.value);
    case 'spawn':
      return digest.and(event.of).and(event.args);
  }
}

/** In virtual time it matters how long a timer still has; elsewhere any may be the next, and moves its clock. */
function dueMs({ live: { declaration, nowMs }, isTimed }: SeenObjects, deadlineMs: number): number {
  if (isTimed) return deadlineMs;
  return declaration.timers === 'any' ? 0 : deadlineMs - nowMs;
}
