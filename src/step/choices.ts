import { nextOf, type EnvironmentProgram } from '../schedule/environment-program.ts';
import type { Origin } from '../execution/record.ts';
import type { Session } from '../kernel/ports.ts';
import type { External, Internal } from '../trace/event.ts';
import { carries } from '../trace/event-subject.ts';
import { identitiesOf, isSameExternal, type LoadedRecording } from './recorded.ts';
import { descriptionOf, textOf, type StepDescription } from './describe.ts';
import type { Move, Track } from './track.ts';

/** An event that can be chosen. */
export interface Choice extends Move, StepDescription {
  /** Where it comes from, if no process causes it, and its number in the recording. */
  readonly note: string;
}

/** All events that can happen next: pending events, the longest waiting first, then events of the environment. */
export function choicesOf(track: Track, recording: LoadedRecording | undefined): Choice[] {
  const internals = inOrder(track.session.enabled).map((event) =>
    choice({ event }, numbered(recording?.numberOf(event)), track.origin),
  );
  return [...internals, ...externalsOf(track, recording)];
}

/** Pending events that cannot happen now, and why, if that is visible. */
export function waitingIn({ session, origin }: Track): Choice[] {
  const enabled = new Set<Internal>(session.enabled);
  return inOrder(session.world.pending.filter((event) => !enabled.has(event))).map((event) =>
    choice({ event }, `not now: ${obstacle(session, event, origin)}`, origin),
  );
}

/** The next event of the workload, unless it waits. */
export function nextOfWorkload({ plan, session, progress }: Track): Move | undefined {
  const workload: EnvironmentProgram = { name: 'workload', items: plan, passesOver: true };
  const next = nextOf(workload, progress, session);
  return next && { event: next.external, workload: next.after };
}

/** The longest waiting first, so that the numbers of the others change little from one event to the next. */
export const inOrder = (events: readonly Internal[]): Internal[] =>
  [...events].sort((a, b) => a.cause - b.cause || (a.nth ?? 0) - (b.nth ?? 0) || a.hi - b.hi || a.lo - b.lo);

function externalsOf(track: Track, recording: LoadedRecording | undefined): Choice[] {
  const { origin } = track;
  const own = nextOfWorkload(track);
  const recorded = recording?.nextExternal(track.session, identitiesOf(track.events));
  if (own === undefined) return recorded === undefined ? [] : [choice(recorded, numbered(recorded.number), origin)];
  if (recorded === undefined) return [choice(own, 'workload', origin)];
  return isSameExternal(own.event as External, recorded.event as External)
    ? [choice(own, `workload, ${numbered(recorded.number)}`, origin)]
    : [choice(own, 'workload', origin), choice(recorded, numbered(recorded.number), origin)];
}

const choice = ({ event, workload }: Move, note: string, origin: Origin): Choice => ({
  event,
  note,
  ...(workload === undefined ? {} : { workload }),
  ...descriptionOf(event, origin),
});

const numbered = (number: number | undefined): string => (number === undefined ? '' : `recorded as ${number}`);

function obstacle({ world }: Session, event: Internal, origin: Origin): string {
  if (event.kind !== 'spawn' && !isUp(world, event.process)) return `${event.process} is not up`;
  const cut = event.kind === 'deliver' ? world.cutLinks.find((link) => carries(link, event)) : undefined;
  const held = world.heldBack.find(({ message }) => message === event);
  if (held !== undefined) return `held back until ${textOf(descriptionOf(held.until, origin))}`;
  if (cut !== undefined) return cut[2] === undefined ? 'the link is cut' : 'the lane is cut';
  return 'earlier messages come first';
}

const isUp = (world: Session['world'], name: string): boolean => world.up().some((process) => process.name === name);
