import { hex } from '../trace/digest.ts';
import { externalOf, isConsequence, isInternal, type Event, type External } from '../trace/event.ts';
import { portableText } from '../trace/json-encoding.ts';
import type { Session } from '../kernel/ports.ts';

/** How many of each external remain. */
export type RemainingExternals = readonly number[];

/**
 * The externals that an execution may use, each as often as it was recorded. Equal externals are interchangeable; so
 * are losses, and duplications, which may hit any message in flight.
 */
export class ExternalMultiset {
  readonly all: RemainingExternals;
  private readonly kinds: readonly External[];

  constructor(events: readonly Event[]) {
    const kinds = new Map<string, { readonly external: External; count: number }>();
    for (const event of events) {
      if (isInternal(event) || isConsequence(event, events)) continue;
      const external = withoutTarget(externalOf(event));
      const text = portableText(external, 'the external event');
      const known = kinds.get(text);
      if (known === undefined) kinds.set(text, { external, count: 1 });
      else known.count += 1;
    }
    this.kinds = [...kinds.values()].map(({ external }) => external);
    this.all = [...kinds.values()].map(({ count }) => count);
  }

  /** The externals that the session allows now, each with the externals that remain after it. */
  possible(
    session: Session,
    left: RemainingExternals,
  ): { readonly external: External; readonly left: RemainingExternals }[] {
    return this.kinds.flatMap((kind, at) => {
      if (left[at] === 0) return [];
      const after = left.with(at, (left[at] as number) - 1);
      return withEachTarget(kind, session)
        .filter((external) => session.refusal(external) === undefined)
        .map((external) => ({ external, left: after }));
    });
  }
}

const ANY = '';

const isOnMessage = (external: External): external is Extract<External, { kind: 'lose' | 'duplicate' }> =>
  external.kind === 'lose' || external.kind === 'duplicate';

const withoutTarget = (external: External): External =>
  isOnMessage(external) ? { kind: external.kind, target: ANY } : external;

/** One external for each message in flight, if it is a loss or a duplication. */
function withEachTarget(external: External, { world }: Session): readonly External[] {
  if (!isOnMessage(external)) return [external];
  return world.pending
    .filter(({ kind }) => kind === 'deliver' || kind === 'return')
    .map((message) => ({ kind: external.kind, target: hex(message) }));
}
