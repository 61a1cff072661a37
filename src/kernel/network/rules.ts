import { ENVIRONMENT } from '../../trace/event.ts';
import { oncePer } from '../data/once-per.ts';
import type { Declaration, DeclaredLink, LinkRules } from '../declaration.ts';
import type { Channel } from './channel.ts';
import type { EnabledWorld } from './enabled-world.ts';

/** The rules for the messages of a channel. They are looked up once: a channel keeps its processes and its lane. */
export const rulesOf = (world: EnabledWorld, channel: Channel): LinkRules =>
  channel.rules ?? (channel.rules = lookedUp(world, channel));

function lookedUp({ declaration, processes }: EnabledWorld, { fromAt, at, lane }: Channel): LinkRules {
  return linkRules(declaration, processes[fromAt]?.name ?? ENVIRONMENT, processes[at]?.name ?? ENVIRONMENT, lane);
}

/** The rules for messages between two processes: those of the lane, of the link, or of the whole system, the nearest that is declared. */
export function linkRules(declaration: Declaration, from: string, to: string, lane: string | undefined): LinkRules {
  const { ofLinks, ofSystem } = rulesIn(declaration);
  if (ofLinks === undefined) return ofSystem;
  if (from === ENVIRONMENT && lane !== undefined) return ofReports;
  const ofLink = ofLinks.get(linkKey(from, to, undefined)) ?? ofSystem;
  return lane === undefined ? ofLink : (ofLinks.get(linkKey(from, to, lane)) ?? ofLink);
}

/** A lane of the environment carries the reports on one link: see `link-reports.ts`. */
const ofReports: LinkRules = { order: 'fifo', onCut: 'hold', losses: false, duplicates: false };

interface RulesOfDeclaration {
  readonly ofSystem: LinkRules;
  readonly ofLinks: ReadonlyMap<string, LinkRules> | undefined;
}

const rulesIn = oncePer(({ transport, links }: Declaration): RulesOfDeclaration => {
  const ofSystem: LinkRules = { order: transport.order, onCut: transport.onCut, losses: true, duplicates: true };
  return { ofSystem, ofLinks: links && rulesOfLinks(links, ofSystem) };
});

/** Links before lanes: a lane has the rules of its link, unless it declares others. */
function rulesOfLinks(links: readonly DeclaredLink[], ofSystem: LinkRules): ReadonlyMap<string, LinkRules> {
  const rules = new Map<string, LinkRules>();
  const lanesLast = links.toSorted((one, other) => Number(one.lane !== undefined) - Number(other.lane !== undefined));
  for (const { between, lane, order, onCut, losses, duplicates } of lanesLast) {
    const [one, other] = between;
    const wider = rules.get(linkKey(one, other, undefined)) ?? ofSystem;
    rules.set(linkKey(one, other, lane), {
      order: order ?? wider.order,
      onCut: onCut ?? wider.onCut,
      losses: losses ?? wider.losses,
      duplicates: duplicates ?? wider.duplicates,
    });
  }
  return rules;
}

/** Equal for both directions. */
export const linkKey = (one: string, other: string, lane: string | undefined): string =>
  JSON.stringify(lane === undefined ? [one, other].sort() : [...[one, other].sort(), lane]);
