import { DataDigest } from '../../trace/data-digest.ts';
import { digestText, mixHi, mixLo, type Digest } from '../../trace/digest.ts';
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
    for (const process of touchedBy(external)) this.windows.set(process, identity);
  }

  /** The name of the next such event. */
  next(event: Internal): Digest {
    const [from, to] = endsOf(event);
    const digest = new DataDigest().data(event.kind).and(from).and(to).and(contentOf(event, this.fingerprint));
    for (const end of [from, to]) {
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

/** The processes that an external touches. */
export function touchedBy(external: External | ExternalEvent): readonly string[] {
  switch (external.kind) {
    case 'start':
    case 'restart':
    case 'crash':
    case 'stop':
      return [external.process];
    case 'send':
      return [external.to];
    case 'cut':
    case 'heal':
      return external.links.flat();
    case 'lose':
    case 'duplicate':
    case 'act':
      return [];
  }
}

function endsOf(event: Internal): readonly [from: string, to: string] {
  if (event.kind === 'deliver') return [event.from, event.process];
  if (event.kind === 'return') return [event.to, event.process];
  return [event.process, event.process];
}

function contentOf(event: Internal, fingerprint: Fingerprint): unknown {
  switch (event.kind) {
    case 'deliver':
    case 'return':
      return fingerprint(event.message);
    case 'fire':
      return event.timer;
    case 'complete':
      return [event.operation, event.key, event.value];
    case 'spawn':
      return [event.of, event.args];
  }
}

/** The event; where executions cannot be repeated, under a name by its channel. */
export const named = <E extends Internal>({ uncontrolled }: Naming, event: E): E =>
  uncontrolled === undefined ? event : { ...event, ...uncontrolled.identities.next(event) };

interface Naming {
  readonly uncontrolled: { readonly identities: ChannelIdentities } | undefined;
}
