import type { Dropped } from '../../kernel/recording.ts';
import { digestText, hex } from '../../trace/digest.ts';
import { ENVIRONMENT, type Event, type External, type ExternalEvent, type Link } from '../../trace/event.ts';
import { carries } from '../../trace/event-subject.ts';
import { isSameLink, linksOf, type Cut } from './cut-links.ts';
import { ddmin } from './delta-debugging.ts';
import { healOf, isOwn } from './groups.ts';
import type { Asking, CandidateSchedule, Failing, Pass } from '../pass.ts';
import type { Likeness } from '../../schedule/replay/match.ts';
import { replacing } from './replacing.ts';
import { firstSimpler } from './first-simpler.ts';
import { isSimpler } from './simpler.ts';

/** The maximum number of messages that are lost one by one instead of cutting links. */
const LOSSES = 8;

/**
 * Makes faults weaker: loses only the messages that a cut took, instead of cutting links; and cuts as few links as
 * possible. Other passes drop faults that are not needed.
 */
export const faults = (likeness: Likeness): Pass =>
  function* (failing) {
    let weakest = failing;
    // From the last to the first, so that the indices before a cut stay valid.
    for (let at = failing.events.length - 1; at >= 0; at--) {
      const event = weakest.events[at];
      if (event?.kind !== 'cut' || !isOwn(event, weakest.events) || failing.rules.keeps(event)) continue;
      weakest = (yield* losingMessages(weakest, at, likeness)) ?? (yield* cuttingFewer(weakest, at, likeness));
    }
    return weakest;
  };

/** Loses the messages that the cut took, all or one of them, instead of cutting links. */
function* losingMessages(failing: Failing, at: number, likeness: Likeness): Asking<Failing | undefined> {
  const taken = messagesLostTo(failing, at);
  const single = taken.length > 1 ? taken.slice(0, LOSSES).map((message) => [message]) : [];
  const losses = [taken, ...single].filter((lost) => lost.length > 0);
  const candidates = losses.map((lost) => losingInstead(failing, at, lost, likeness));
  return yield* firstSimpler(failing, candidates);
}

/** The messages that this cut took: those in flight on its links, or sent while it was the last cut of the link. */
function messagesLostTo({ events, lostToCuts: cutOff }: Failing, at: number): Dropped[] {
  const cuts = (cut: Event, place: number, { message }: Dropped): boolean =>
    cut.kind === 'cut' && linksOf(cut, place, events).some((link) => carries(link, message));
  return cutOff.filter(
    (dropped) => events.findLastIndex((event, place) => place <= dropped.event && cuts(event, place, dropped)) === at,
  );
}

function losingInstead(
  { events, targets }: Failing,
  at: number,
  lost: readonly Dropped[],
  likeness: Likeness,
): CandidateSchedule {
  const healed = healOf(at, events);
  const healsAnother = events.some(
    (event, other) => other !== at && event.kind === 'cut' && healOf(other, events) === healed,
  );
  const schedule = events.flatMap((event, place) => {
    const kept = place === at || (place === healed && !healsAnother) ? [] : [event];
    return [...kept, ...lost.filter(({ message }) => message.cause === place).map(lossOf)];
  });
  const messages = lost.map(({ message }) => [hex(message), message] as const);
  return { events: schedule, likeness, targets: new Map([...targets, ...messages]) };
}

/** As for every loss, the cause is the event that sent the message. */
function lossOf({ message }: Dropped): ExternalEvent {
  const target = hex(message);
  return { kind: 'lose', target, process: ENVIRONMENT, cause: message.cause, ...digestText(`lose ${target}`) };
}

/** Cuts as few links as possible. */
function* cuttingFewer(failing: Failing, at: number, likeness: Likeness): Asking<Failing> {
  let weakest = failing;
  const { events, targets } = failing;
  const subsets = ddmin(linksOf(events[at] as Cut, at, events));
  for (let asked = subsets.next(); asked.done !== true;) {
    let isEnough = false;
    // A cut without links means all links.
    if (asked.value.length > 0) {
      const schedule = replacing(events, cuttingOnly(asked.value, at, events));
      const { failing: weaker } = yield { events: schedule, likeness, targets };
      isEnough = weaker !== undefined && isSimpler(weaker, weakest);
      if (isEnough) weakest = weaker as Failing;
    }
    asked = subsets.next(isEnough);
  }
  return weakest;
}

/** Replacements for the cut, and for its heal if that names links. */
function cuttingOnly(links: readonly Link[], at: number, events: readonly Event[]): ReadonlyMap<number, External> {
  const others = new Map<number, External>([[at, { kind: 'cut', links }]]);
  const healed = healOf(at, events);
  const heal = events[healed];
  if (heal?.kind !== 'heal' || heal.links.length === 0) return others;
  const isIn = (list: readonly Link[], link: Link): boolean => list.some((one) => isSameLink(one, link));
  const before = linksOf(events[at] as Cut, at, events);
  const left = heal.links.filter((link) => isIn(links, link) || !isIn(before, link));
  return left.length === 0 ? others : others.set(healed, { kind: 'heal', links: left });
}
