import { DataDigest } from '../../trace/data-digest.ts';
import { digestText, mixHi, mixLo, type Digest } from '../../trace/digest.ts';
import { dataOf, peerOf, topicOf, processesOf } from '../../trace/event-subject.ts';
import type { External, ExternalEvent, Internal } from '../../trace/event.ts';

/** What counts of a message when two executions are compared (STS: functional equivalence). */
export type Fingerprint = (message: unknown) => unknown;

/**
 * Identities where a system is not repeatable: the history of a process is not ours to know, so an event is named by its channel,
 * its fingerprint, and how many like it came before on that channel since an external last touched one of its ends. An external
 * that touches neither end changes no name.
 */
export class ChannelIdentities {
  /** The last external that touched a process. */
  private readonly windows = new Map<string, Digest>();
  /** How many events had the same name but for their number. */
  private readonly counts = new Map<string, number>();

  constructor(private readonly fingerprint: Fingerprint) {}

  /** The external happens: what its processes do from now on has other names. */
  touch(external: External | ExternalEvent, identity: Digest): void {
    for (const process of processesOf(external)) this.windows.set(process, identity);
  }

  /** The name of the next such event. */
  next(event: Internal): Digest {
    const ends = [peerOf(event) ?? event.process, event.process];
    const content = 'message' in event ? this.fingerprint(event.message) : [topicOf(event), dataOf(event)];
    const digest = new DataDigest().data(event.kind).and(ends).and(content);
    for (const end of ends) {
      const window = this.windows.get(end) ?? NONE;
      digest.word(window.hi).word(window.lo);
    }
    const { hi, lo } = digest;
    const key = `${hi} ${lo}`;
    const before = this.counts.get(key) ?? 0;
    this.counts.set(key, before + 1);
    return { hi: mixHi(hi, before), lo: mixLo(lo, before) };
  }
}

const NONE: Digest = digestText('no external');

/** The event; where executions cannot be repeated, under a name by its channel. */
export const named = <E extends Internal>({ uncontrolled }: Naming, event: E): E =>
  uncontrolled === undefined ? event : { ...event, ...uncontrolled.identities.next(event) };

interface Naming {
  readonly uncontrolled: { readonly identities: ChannelIdentities } | undefined;
}
