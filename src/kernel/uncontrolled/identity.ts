import { DataDigest } from '../../trace/data-digest.ts';
import { digestText, mixHi, mixLo, type Digest } from '../../trace/digest.ts';
import { dataOf, isWrite, laneOf, peerOf, topicOf, processesOf } from '../../trace/event-subject.ts';
import { ENVIRONMENT, type External, type ExternalEvent, type Internal } from '../../trace/event.ts';

/** What counts of a message when two executions are compared (STS: functional equivalence). */
export type Fingerprint = (message: unknown) => unknown;

/**
 * Identities where a system is not repeatable: the history of a process is not ours to know, so an event is named by its channel,
 * its fingerprint, and how many like it came before on that channel since an external last touched one of its ends. An external
 * counts from the first event on that its process makes afterward: one after which its processes make nothing changes no name.
 */
export class ChannelIdentities {
  /** The last external that touched a process. */
  private touched = new Map<string, Digest>();
  /** The same, as it was when the process last made an event. */
  private windows = new Map<string, Digest>();
  /** How many events had the same name but for their number. */
  private counts = new Map<string, number>();

  constructor(private readonly fingerprint: Fingerprint) {}

  copy(): ChannelIdentities {
    const copy = new ChannelIdentities(this.fingerprint);
    copy.touched = new Map(this.touched);
    copy.windows = new Map(this.windows);
    copy.counts = new Map(this.counts);
    return copy;
  }

  /** The external happens: what its processes make from now on has other names. A message counts when it is delivered. */
  happens(event: External | ExternalEvent, identity: Digest): void {
    if (event.kind !== 'send') this.touch(processesOf(event), identity);
  }

  /** The same for the message of an external. */
  delivers(event: Internal): void {
    if (event.kind === 'deliver' && event.from === ENVIRONMENT) this.touch([event.process], event);
  }

  private touch(processes: readonly string[], identity: Digest): void {
    for (const process of processes) this.touched.set(process, identity);
  }

  /** The name of the next such event. */
  next(event: Internal): Digest {
    const [maker, receiver] = endsOf(event);
    const since = this.touched.get(maker);
    if (since !== undefined) this.windows.set(maker, since);
    const [one, other] = [this.windows.get(maker) ?? NO_EXTERNAL, this.windows.get(receiver) ?? NO_EXTERNAL];
    const { hi, lo } = sinceExternals(channelDigest(event, this.fingerprint), one, other);
    const key = `${hi} ${lo}`;
    const before = this.counts.get(key) ?? 0;
    this.counts.set(key, before + 1);
    return { hi: mixHi(hi, before), lo: mixLo(lo, before) };
  }
}

/** Stands for the last external that touched a process where none did. */
export const NO_EXTERNAL: Digest = digestText('no external');

/** The process that makes an event, and the one at which it happens. */
export const endsOf = (event: Internal): readonly [maker: string, receiver: string] => [
  peerOf(event) ?? event.process,
  event.process,
];

/** Equal for events of one channel that count as equal. */
export function channelDigest(event: Internal, fingerprint: Fingerprint): Digest {
  const content = 'message' in event ? fingerprint(event.message) : contentOf(event);
  const digest = new DataDigest().data(event.kind).and(endsOf(event)).and(content);
  const lane = laneOf(event);
  return lane === undefined ? digest : digest.and(lane);
}

/** Of a write the key alone: the value may have been computed from times, and from what is not compared. */
const contentOf = (event: Internal): unknown => (isWrite(event) ? [topicOf(event)] : [topicOf(event), dataOf(event)]);

/** The name but for its number: the channel, and the externals that touched its ends last. */
export function sinceExternals(channel: Digest, maker: Digest, receiver: Digest): Digest {
  const digest = new DataDigest();
  digest.hi = channel.hi;
  digest.lo = channel.lo;
  return digest.word(maker.hi).word(maker.lo).word(receiver.hi).word(receiver.lo);
}

/** The event; where executions cannot be repeated, under a name by its channel. */
export const named = <E extends Internal>({ uncontrolled }: Naming, event: E): E =>
  uncontrolled === undefined ? event : { ...event, ...uncontrolled.identities.next(event) };

interface Naming {
  readonly uncontrolled: { readonly identities: ChannelIdentities } | undefined;
}
