import { hex } from '../trace/digest.ts';
import { externalOf, isConsequence, isInternal, type Event, type External } from '../trace/event.ts';
import { portableText } from '../trace/json-encoding.ts';
import type { Session } from '../kernel/ports.ts';

/** How many of each external remain. */
export type RemainingExternals = readonly number[];

/**
 * The externals that an execution may use, each as often as it was recorded. Equal externals are interchangeable; so
 * are losses, duplications and holds, which may hit any message in flight. A hold may end with any event.
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

function withoutTarget(external: External): External {
  if (!('target' in external)) return external;
  return external.kind === 'hold' ? { ...external, target: ANY, until: ANY } : { ...external, target: ANY };
}

/** One external for each message in flight, if it concerns a message; of holds, one for each event that may end it. */
function withEachTarget(external: External, { world, enabled }: Session): readonly External[] {
  if (!('target' in external)) return [external];
  const targets = world.pending.filter(({ kind }) => kind === 'deliver' || kind === 'return').map(hex);
  if (external.kind !== 'hold') return targets.map((target) => ({ ...external, target }));
  return targets.flatMap((target) => enabled.map((event) => ({ ...external, target, until: hex(event) })));
}
