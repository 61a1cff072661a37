import type { Link } from '../../trace/event.ts';
import type { ProcessLink, ProcessPort } from '../../trace/topology.ts';

/** Names for the links of a network and its control channels, as people write them. */
export class LinkNames {
  private readonly names = new Map<string, string>();
  private readonly controllers: ReadonlySet<string>;

  constructor(links: readonly ProcessLink[] = [], controllers: readonly string[] = []) {
    for (const { ends, lane } of links) {
      const [one, other] = ends;
      const name = ends.map(portName).join(' – ');
      for (const [from, to] of [
        [one.process, other.process],
        [other.process, one.process],
      ] as const) {
        this.names.set(keyOf([from, to, lane]), `the link ${name}`);
        // All lanes of one pair of switches.
        if (lane === undefined) continue;
        const whole = keyOf([from, to, undefined]);
        this.names.set(
          whole,
          this.names.has(whole) ? `all links ${one.process} – ${other.process}` : `the link ${name}`,
        );
      }
    }
    this.controllers = new Set(controllers);
  }

  /** `the link s1.1 – s2.1`; undefined if there is none. */
  between(one: string, other: string, lane: string | undefined): string | undefined {
    return this.names.get(keyOf([one, other, lane]));
  }

  /** `cuts the link s1.1 – s2.1`, `blocks the control channel c1 – s2`; undefined for what is not both directions of one of them. */
  wordsFor(kind: 'cut' | 'heal', links: readonly Link[]): string | undefined {
    const [there, back] = links;
    if (there === undefined || back === undefined || links.length > 2) return undefined;
    const [from, to, lane] = there;
    if (keyOf(back) !== keyOf([to, from, lane])) return undefined;
    const name = this.names.get(keyOf(there));
    if (name !== undefined) return `${kind}s ${name}`;
    if (!this.controllers.has(from) && !this.controllers.has(to)) return undefined;
    const ends = this.controllers.has(from) ? [from, to] : [to, from];
    return `${kind === 'cut' ? 'blocks' : 'unblocks'} the control channel ${ends.join(' – ')}`;
  }
}

const keyOf = ([from, to, lane]: readonly [string, string, (string | undefined)?]): string =>
  JSON.stringify([from, to, lane]);

/** `s1.1`. */
export const portName = ({ process, port }: ProcessPort): string =>
  port === undefined ? process : `${process}.${port}`;
