import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventLine } from 'culprit/trace';
import { Cuts } from './cuts.ts';

type Link = [string, string] | [string, string, string];

const eventsOf = (turns: readonly { readonly kind: 'cut' | 'heal'; readonly links: readonly Link[] }[]): EventLine[] =>
  turns.map(({ kind, links }, at) => ({
    event: at + 1,
    kind,
    process: 'environment',
    cause: 0,
    id: '0000000000000000',
    links: [...links],
  }));

/** The twin: everything that is cut, event by event. */
function isCutSlowly(events: readonly EventLine[], [from, to, lane]: Link, event: number): boolean {
  const cut = new Set<string>();
  let isEvery = false;
  const healed = new Set<string>();
  for (const line of events.slice(0, event + 1)) {
    if (line.kind !== 'cut' && line.kind !== 'heal') continue;
    if (line.links.length === 0) {
      isEvery = line.kind === 'cut';
      healed.clear();
      if (line.kind === 'heal') cut.clear();
    }
    for (const link of line.links) {
      const key = link.join(' ');
      if (line.kind === 'cut') cut.add(key);
      else {
        cut.delete(key);
        healed.add(key);
      }
    }
  }
  const isLinkCut = cut.has(`${from} ${to}`) || (isEvery && !healed.has(`${from} ${to}`));
  return isLinkCut || (lane !== undefined && cut.has(`${from} ${to} ${lane}`));
}

test('a link is cut as a twin says that follows every event', () => {
  const link = fc.oneof(
    fc.constantFrom<Link[]>(['a', 'b'], ['b', 'a'], ['a', 'c']),
    fc.constantFrom<Link[]>(['a', 'b', 'x'], ['a', 'b', 'y'], ['b', 'a', 'x']),
  );
  const turn = fc.record({
    kind: fc.constantFrom('cut' as const, 'heal' as const),
    links: fc.array(link, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 12 }), link, fc.integer({ min: -1, max: 12 }), (turns, asked, event) => {
      const events = eventsOf(turns);
      const [from, to, lane] = asked;
      expect(new Cuts(events).isCut(from, to, lane, event)).toBe(isCutSlowly(events, asked, event));
    }),
    { numRuns: 2_000, seed: 17 },
  );
});
