import { plural } from '../../text/plural.ts';

/** What is not imported, and why: a noun, and the rest of the sentence. */
const kinds = {
  timedOut: ['event', 'timed out in a replay of STS, and did not happen'],
  messages: ['message', 'without bytes, as in traces before 2014: only a fingerprint is stored'],
  packets: ['injection', 'without a packet (dp_event), as in old traces: the packets are in another file'],
  drops: ['drop', 'of frames on links: only fingerprints are stored'],
  permits: ['permit', 'of frames on links: they pass in replays'],
  flowMods: ['event', 'in which a flow_mod takes effect: here it does when it arrives'],
  clockReads: ['clock read', 'of controllers'],
  checks: ['check', 'of invariants: here they are checked after every event'],
  waits: ['wait', 'which the times of events stand for'],
} as const satisfies Readonly<Record<string, readonly [noun: string, why: string]>>;

type Kind = keyof typeof kinds;

/** Counts what an import leaves out. */
export class ImportNotes {
  private readonly counts = new Map<Kind, number>();

  count(kind: Kind): void {
    this.counts.set(kind, this.of(kind) + 1);
  }

  of(kind: Kind): number {
    return this.counts.get(kind) ?? 0;
  }

  /** One line for each kind: `3 messages without bytes, …`. */
  get lines(): string[] {
    return (Object.keys(kinds) as Kind[]).flatMap((kind) => {
      const [noun, why] = kinds[kind];
      return this.of(kind) === 0 ? [] : [`${plural(this.of(kind), noun)} ${why}`];
    });
  }
}
