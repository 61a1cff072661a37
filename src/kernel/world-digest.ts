import { DataDigest } from '../trace/data-digest.ts';
import { mixHi, mixLo, type Digest } from '../trace/digest.ts';
import type { Internal } from '../trace/event.ts';
import type { Channel, InFlight } from './network/channel.ts';
import { rulesOf } from './network/rules.ts';
import type { LiveWorld } from './live-world.ts';
import type { KeptDigest, Process } from './process.ts';

/**
 * Equal for worlds with the same future, even if their pasts differ: it covers states, disks, pending events, links, random numbers, and
 * the faults that are left in the budgets. Time counts only if a handler has read it, because it never comes back, or if the
 * caller asks for it. The kernel cannot see into suspended code and opaque objects: the history of their process stands for them. Ordered: worlds differ
 * if their states differ in the order of keys, because handlers may depend on that order.
 */
export function worldDigest(live: LiveWorld, isTimed = live.clockRead, isOrdered = false): Digest {
  const digest = new DataDigest(isOrdered);
  const sum = new Sum();
  const world: SeenWorld = { live, isTimed, isOrdered };
  sum.add(digest.data(live.spent));
  for (const process of live.processes) sum.add(keptOfProcess(world, process, digest));
  // An idle link that works says nothing. The order does not count, so the channels need not be put in order.
  for (const number of live.channels.inUse) {
    const channel = live.channels.at(number);
    if (channel.size > 0 && !channel.isCutItself) sum.add(keptOfChannel(world, channel, digest));
  }
  if (live.cuts > 0) for (const channel of live.channels.cut()) sum.add(keptOfChannel(world, channel, digest));
  for (const [at, event] of live.heldForAbsent.entries())
    sum.add(digestPending(world, event, digest).word(behind(live, at)));
  for (const { message, until } of live.holds) {
    const { hi, lo } = digestPlaced(world, message, digest);
    sum.add(digestPlaced(world, until, digest).and('holds').word(hi).word(lo));
  }
  for (const event of live.pendingSpawns.values()) sum.add(digestPending(world, event, digest));
  if (isTimed) sum.add(digest.data(live.nowMs));
  return sum;
}

/** A world, and whether its time counts, and the order of keys. */
interface SeenWorld {
  readonly live: LiveWorld;
  readonly isTimed: boolean;
  readonly isOrdered: boolean;
}

/** The digest of a process, made once for all the worlds that share it. */
function keptOfProcess(world: SeenWorld, process: Process, digest: DataDigest): Digest {
  if (!process.isCopyable) return digestProcess(world, process, digest);
  const nowMs = process.timers.length + process.operations.length > 0 ? world.live.nowMs : 0;
  if (!isFor(process.digest, world, nowMs)) process.digest = kept(world, nowMs, digestProcess(world, process, digest));
  return process.digest;
}

function keptOfChannel(world: SeenWorld, channel: Channel, digest: DataDigest): Digest {
  if (!isFor(channel.digest, world, 0)) channel.digest = kept(world, 0, digestChannel(world, channel, digest));
  return channel.digest;
}

const kept = ({ isTimed, isOrdered }: SeenWorld, nowMs: number, { hi, lo }: Digest): KeptDigest => ({
  hi,
  lo,
  isTimed,
  isOrdered,
  nowMs,
});

const isFor = (
  digest: KeptDigest | undefined,
  { isTimed, isOrdered }: SeenWorld,
  nowMs: number,
): digest is KeptDigest =>
  digest !== undefined && digest.isTimed === isTimed && digest.isOrdered === isOrdered && digest.nowMs === nowMs;

/** How many earlier messages of the same channel wait for a process that has not joined; 0 if the transport is unordered. */
function behind({ heldForAbsent, declaration }: LiveWorld, at: number): number {
  if (declaration.transport.order !== 'fifo') return 0;
  const { process, fromAt, lane } = heldForAbsent[at] as InFlight;
  return heldForAbsent
    .slice(0, at)
    .filter((other) => other.process === process && other.fromAt === fromAt && other.lane === lane).length;
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

function digestProcess(world: SeenWorld, process: Process, digest: DataDigest): Digest {
  const { name, at, status, restarts, spawned, random, state, asked, timers, operations } = process;
  const pending = new Sum();
  for (const timer of timers) pending.add(digestPending(world, timer, digest));
  // The order of joining is the order of every list of processes.
  digest.data(name).word(at).and(status).word(restarts).word(spawned).word(pending.hi).word(pending.lo);
  if (process.isPaused) digest.and('paused');
  for (const operation of operations) {
    const { hi, lo } = digest;
    digestPending(world, operation, digest).after(hi, lo);
  }
  if (random !== undefined) digest.and(random.position);
  if (world.isTimed) digest.and(process.clockMs).word(process.step);
  if (!process.hasEmptyDisk) digest.and(process.disk);
  if (asked.length > 0) digest.and(asked);
  return process.isCopyable ? digest.and(state) : digest.word(process.hi).word(process.lo);
}

function digestChannel(world: SeenWorld, channel: Channel, digest: DataDigest): Digest {
  const isOrdered = rulesOf(world.live, channel).order === 'fifo';
  const messages = new Sum();
  for (const [at, event] of channel.list().entries()) {
    digestPending(world, event, digest);
    messages.add(isOrdered ? digest.word(at) : digest);
  }
  digest.data('link').word(channel.at).word(channel.fromAt);
  if (channel.lane !== undefined) digest.and(channel.lane);
  return digest.word(Number(channel.isCutItself)).word(messages.hi).word(messages.lo);
}

function digestPending(world: SeenWorld, event: Internal, digest: DataDigest): DataDigest {
  digest.data(event.kind).and(event.process);
  switch (event.kind) {
    case 'deliver':
      if (world.isTimed) digest.and(event.sentMs);
      if (event.lane !== undefined) digest.and(event.lane);
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

/** A pending event, and its place among those that happen in order and may be equal. */
function digestPlaced(world: SeenWorld, event: Internal, digest: DataDigest): DataDigest {
  return digestPending(world, event, digest).word(placeAmongEqual(world.live, event));
}

function placeAmongEqual(live: LiveWorld, event: Internal): number {
  if (event.kind === 'complete') return live.processes[live.place(event.process) ?? -1]?.operations.indexOf(event) ?? 0;
  if (event.kind !== 'deliver') return 0;
  const { fromAt, at, lane } = event as InFlight;
  const channel = live.channels.find(fromAt, at, lane);
  return channel === undefined || rulesOf(live, channel).order !== 'fifo'
    ? 0
    : channel.list().indexOf(event as InFlight);
}

/** In virtual time the remaining time of a timer counts. Otherwise any timer may be the next, and it moves the clock of its process. */
function dueMs({ live: { declaration, nowMs }, isTimed }: SeenWorld, deadlineMs: number): number {
  if (isTimed) return deadlineMs;
  return declaration.timers === 'any' ? 0 : deadlineMs - nowMs;
}
