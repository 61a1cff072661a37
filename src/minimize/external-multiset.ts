import { hex } from '../trace/digest.ts';
import { externalOf, isConsequence, isInternal, type Event, type External } from '../trace/event.ts';
import { portableText } from '../trace/json-encoding.ts';
import type { Session } from '../kernel/ports.ts';

/** How many of each external are left. */
export type RemainingExternals = readonly number[];

/**
 * The externals that an execution may use, each as often as it is there. Equal ones stand for one another, so that they
 * are not told apart; losses do as well, and copies: they may hit whatever is in flight.
 */
export class ExternalMultiset {
  readonly all: RemainingExternals;
  private readonly kinds: readonly External[];

  constructor(events: readonly Event[]) {
    const kinds = new Map<string, { readonly external: External; count: number }>();
    for (const event of events) {
      if (isInternal(event) || isConsequence(event, events)) continue;
      const external = aimless(externalOf(event));
      const text = portableText(external, 'the external event');
      const known = kinds.get(text);
      if (known === undefined) kinds.set(text, { external, count: 1 });
      else known.count += 1;
    }
    this.kinds = [...kinds.values()].map(({ external }) => external);
    this.all = [...kinds.values()].map(({ count }) => count);
  }

  /** What the environment may do now, and what is left after it. */
  possible(
    session: Session,
    left: RemainingExternals,
  ): { readonly external: External; readonly left: RemainingExternals }[] {
    return this.kinds.flatMap((kind, at) => {
      if (left[at] === 0) return [];
      const after = left.with(at, (left[at] as number) - 1);
      return aimed(kind, session)
        .filter((external) => session.refusal(external) === undefined)
        .map((external) => ({ external, left: after }));
    });
  }
}

const ANY = '';

const isOnMessage = (external: External): external is Extract<External, { kind: 'lose' | 'duplicate' }> =>
  external.kind === 'lose' || external.kind === 'duplicate';

const aimless = (external: External): External =>
  isOnMessage(external) ? { kind: external.kind, target: ANY } : external;

/** At each message in flight, where it is about one. */
function aimed(external: External, { world }: Session): readonly External[] {
  if (!isOnMessage(external)) return [external];
  return world.pending
    .filter(({ kind }) => kind === 'deliver' || kind === 'return')
    .map((message) => ({ kind: external.kind, target: hex(message) }));
}
