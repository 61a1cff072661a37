import { isInternal, type Event } from '../trace/event.ts';
import { closures } from './closures.ts';
import { dropping } from './dropping.ts';
import type { Asking, Failing, Likeness, Pass } from './pass.ts';
import { renamedEvent } from './renaming.ts';

/**
 * Lets another process do what a process did from some timer on, and that one what the other did: often it has come
 * further, and less is left to do.
 */
export const swaps = (likeness: Likeness): Pass =>
  function* (failing) {
    for (let smallest = failing; ;) {
      const smaller: Failing | undefined = yield* bySwapping(smallest, likeness);
      if (smaller === undefined) return smallest;
      smallest = smaller;
    }
  };

function* bySwapping(failing: Failing, likeness: Likeness): Asking<Failing | undefined> {
  const { events, targets } = failing;
  const seen = new Set<string>();
  const firstFire = events.findIndex(({ kind }) => kind === 'fire');
  for (let at = events.length - 1; at >= firstFire; at--) {
    const event = events[at] as Event;
    if (event.kind !== 'fire' && isInternal(event)) continue;
    for (const [one, other] of pairs(failing)) {
      const names = new Map([
        [one, other],
        [other, one],
      ]);
      const swapped = [...events.slice(0, at), ...events.slice(at).map((later) => renamedEvent(later, names))];
      const { failing: variant } = yield { events: swapped, likeness, targets };
      if (
        variant === undefined ||
        (process.env['LEN'] && variant.events.length > events.length + Number(process.env['LEN']))
      )
        continue;
      const key = variant.events.map(({ hi, lo }) => `${hi} ${lo}`).join();
      if (seen.has(key)) continue;
      seen.add(key);
      const about = (at: number, evs: readonly Event[]) => {
        if (process.env['FULL']) return true;
        const e = evs[at] as Event;
        return names.has(e.process) || (!process.env['NARROW'] && e.kind === 'deliver' && names.has(e.from));
      };
      const c = yield* closures(likeness, about)(variant);
      const smaller = yield* dropping(
        (evs) => evs.map((_e, at) => [at]).filter(([at]) => about(at as number, evs)),
        likeness,
        1,
      )(c);
      if (smaller.events.length < events.length) return smaller;
    }
  }
  return undefined;
}

/** Processes that can do what the other does. */
const pairs = ({ rules }: Failing): [string, string][] =>
  rules.peers.flatMap((peers) =>
    peers.flatMap((one, at) => peers.slice(at + 1).map((other): [string, string] => [one, other])),
  );
