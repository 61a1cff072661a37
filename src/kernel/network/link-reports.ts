import { digestText, mixHi, mixLo, type Digest } from '../../trace/digest.ts';
import { ENVIRONMENT, type Deliver, type Event, type Link } from '../../trace/event.ts';
import type { Declaration, DeclaredLink, LinkReport } from '../declaration.ts';
import type { LiveWorld } from '../live-world.ts';
import type { Process } from '../process.ts';
import { OUTSIDE, type InFlight } from './channel.ts';
import { dropAll, post } from './in-flight.ts';
import { linkKey } from './rules.ts';

/**
 * Reports on links: each end of a link that is declared with `reports` gets a message when the link goes down or comes up. A link
 * is down while one of its directions is cut, or the process at one of its ends is down. A report travels on a lane of the
 * environment, one for each link: such a lane is FIFO, loses and duplicates nothing, and is never cut.
 */

/** The links with reports, by what may change them. */
interface Reporting {
  readonly all: readonly DeclaredLink[];
  readonly places: ReadonlyMap<DeclaredLink, number>;
  readonly byPair: ReadonlyMap<string, readonly DeclaredLink[]>;
  readonly byProcess: ReadonlyMap<string, readonly DeclaredLink[]>;
}

const known = new WeakMap<Declaration, Reporting | undefined>();

/** Undefined if no link reports anything. */
function reportingIn(declaration: Declaration): Reporting | undefined {
  if (known.has(declaration)) return known.get(declaration);
  const all = (declaration.links ?? []).filter(isReporting);
  const reporting: Reporting | undefined =
    all.length === 0
      ? undefined
      : {
          all,
          places: new Map(all.map((link, at) => [link, at])),
          byPair: grouped(all, (link) => [pairOf(link)]),
          byProcess: grouped(all, ({ between }) => between),
        };
  known.set(declaration, reporting);
  return reporting;
}

const isReporting = ({ reports = false }: DeclaredLink): boolean => reports !== false;

/** Whether processes get messages because others are down. */
export const hasReports = (declaration: Declaration): boolean => reportingIn(declaration) !== undefined;

const pairOf = ({ between: [one, other] }: DeclaredLink): string => linkKey(one, other, undefined);

function grouped(
  links: readonly DeclaredLink[],
  keysOf: (link: DeclaredLink) => readonly string[],
): ReadonlyMap<string, readonly DeclaredLink[]> {
  const groups = new Map<string, DeclaredLink[]>();
  for (const link of links)
    for (const key of keysOf(link)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [link]);
      else group.push(link);
    }
  return groups;
}

/** Cuts or heals these links, and reports those that went down or came up by it. No links stand for all of them. */
export function reportingChanges(world: LiveWorld, links: readonly Link[], change: () => void): void {
  const reporting = reportingIn(world.declaration);
  const concerned = reporting === undefined ? [] : linksAmong(reporting, links);
  const before = concerned.map((link) => isUp(world, link));
  change();
  for (const [at, link] of concerned.entries()) {
    const now = isUp(world, link);
    if (now !== before[at]) for (const end of link.between) report(world, link, end, now);
  }
}

function linksAmong({ all, byPair }: Reporting, links: readonly Link[]): readonly DeclaredLink[] {
  if (links.length === 0) return all;
  const pairs = new Set(links.map(([from, to]) => linkKey(from, to, undefined)));
  return [...pairs].flatMap((pair) => byPair.get(pair) ?? []);
}

/** A process is down: reports on their way to it are dropped, and its neighbors get one each. */
export function reportEnd(world: LiveWorld, { name, at, status }: Process): void {
  const { last } = world;
  // It failed in its restart: its neighbors do not know yet that it was there again.
  const isUnknown = last?.kind === 'restart' && last.process === name;
  for (const link of reportingIn(world.declaration)?.byProcess.get(name) ?? []) {
    const lane = reportLane(link, name);
    if (world.channels.find(OUTSIDE, at, lane) !== undefined)
      dropAll(world, world.ownChannel(OUTSIDE, at, lane), status === 'crashed' ? 'crash' : 'absent');
    if (isWhole(world, link) && !isUnknown) report(world, link, peerIn(link, name), false);
  }
}

/** A process is there again: its neighbors get reports, and it gets one for each of its links that is down. */
export function reportReturn(world: LiveWorld, { name, isGone: hasFailed }: Process): void {
  if (hasFailed) return;
  for (const link of reportingIn(world.declaration)?.byProcess.get(name) ?? []) {
    if (isUp(world, link)) report(world, link, peerIn(link, name), true);
    else report(world, link, name, false);
  }
}

const isUp = (world: LiveWorld, link: DeclaredLink): boolean =>
  isWhole(world, link) && link.between.every((name) => !isGone(world, name));

/** Whether neither direction is cut: the link itself, or its lane. */
function isWhole(world: LiveWorld, { between: [one, other], lane }: DeclaredLink): boolean {
  if (world.cuts === 0) return true;
  const [a, b] = [world.place(one) as number, world.place(other) as number];
  const isCut = (of: string | undefined): boolean => world.isCut(a, b, of) || world.isCut(b, a, of);
  return !isCut(undefined) && (lane === undefined || !isCut(lane));
}

const isGone = (world: LiveWorld, name: string): boolean =>
  world.processes[world.place(name) as number]?.isGone === true;

const peerIn = ({ between: [one, other] }: DeclaredLink, name: string): string => (one === name ? other : one);

/** The lane of the reports on one link to one of its ends: `s2`, or `s2 bulk` for lane bulk of the link to s2. */
const reportLane = (link: DeclaredLink, end: string): string =>
  link.lane === undefined ? peerIn(link, end) : `${peerIn(link, end)} ${link.lane}`;

/** Reports what the last event did to a link. A process that is down gets its reports when it is there again. */
function report(world: LiveWorld, link: DeclaredLink, end: string, up: boolean): void {
  if (isGone(world, end) || (link.reports === 'first' && end !== link.between[0])) return;
  const lane = reportLane(link, end);
  const message: LinkReport = {
    type: 'link',
    peer: peerIn(link, end),
    ...(link.lane === undefined ? {} : { lane: link.lane }),
    isUp: up,
  };
  const item: Deliver & InFlight = {
    kind: 'deliver',
    process: end,
    cause: world.length - 1,
    ...reportIdentity(world.last as Event, { process: end, lane }),
    nth: numberOf(world.declaration, link, end),
    from: ENVIRONMENT,
    message,
    ask: 0,
    reply: 0,
    sentMs: world.nowMs,
    lane,
    at: world.place(end) as number,
    fromAt: OUTSIDE,
  };
  post(world, item);
}

/** The identity of a report, from that of the event that took the link down or brought it up. */
export function reportIdentity({ hi, lo }: Digest, { process, lane }: Pick<Deliver, 'process' | 'lane'>): Digest {
  const to = digestText(`report to ${process} on ${lane}`);
  return { hi: mixHi(hi, to.hi), lo: mixLo(lo, to.lo) };
}

/** Tells the reports of one event apart, and from the events that a process made in it, which have numbers from 0 on. */
function numberOf(declaration: Declaration, link: DeclaredLink, end: string): number {
  const place = reportingIn(declaration)?.places.get(link) as number;
  return -1 - 2 * place - link.between.indexOf(end);
}
