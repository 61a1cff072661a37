import type { Session } from 'culprit/kernel';
import { hex, isInternal, type Event, type Internal } from 'culprit/trace';

/** A message under way to a process; a returned message takes no link, and so has no sender. */
interface OnItsWay {
  readonly from: string | undefined;
  readonly to: string;
  readonly lane?: string | undefined;
}

/** The observation after an event. */
interface Moment {
  readonly event: Event;
  readonly pending: readonly OnItsWay[];
  /** Messages dropped or returned in this event, which may never have been pending. */
  readonly gone: readonly OnItsWay[];
  readonly cut: readonly string[];
  readonly up: readonly string[];
}

/**
 * The slow and obvious twin of the fault effects that a hunt reports: it records the world after every event, and then
 * goes through these moments, once for every fault, for as long as the fault lasts.
 */
export class FaultWatch {
  private readonly moments: Moment[] = [];
  private returns = new Set<string>();
  private notes = 0;

  /** Call this after every event. */
  look(session: Session): void {
    const { world, recording } = session;
    const notes = recording.notes.since(this.notes);
    this.notes += notes.length;
    const dropped = notes.flatMap((note) => (note.kind === 'dropped' ? [note.message] : []));
    const returns = world.pending.flatMap((event) => (event.kind === 'return' ? [event] : []));
    const sentBack = returns.filter((event) => !this.returns.has(hex(event)));
    this.returns = new Set(returns.map(hex));
    this.moments.push({
      event: world.last as Event,
      pending: world.pending.flatMap(onItsWay),
      gone: [...dropped.flatMap(onItsWay), ...sentBack.map(({ process, to }) => ({ from: process, to }))],
      cut: world.cutLinks.map(([from, to, lane]) => linkOf(from, to, lane)),
      up: world.up().map(({ name }) => name),
    });
  }

  /** The number of faults of each kind, and how many had an effect. */
  counts(): Record<string, { happened: number; effective: number }> {
    const counts: Record<string, { happened: number; effective: number }> = {};
    for (const [at, { event }] of this.moments.entries()) {
      if (!['cut', 'crash', 'stop', 'restart', 'lose', 'duplicate', 'hold', 'pause'].includes(event.kind)) continue;
      const { happened, effective } = counts[event.kind] ?? { happened: 0, effective: 0 };
      counts[event.kind] = { happened: happened + 1, effective: effective + Number(this.hadEffect(event, at)) };
    }
    return counts;
  }

  private hadEffect(event: Event, at: number): boolean {
    const later = this.moments.slice(at + 1).map((moment) => moment.event);
    switch (event.kind) {
      case 'cut':
        return this.linksCutAt(at).some((link) => this.wasUsedWhileCut(link, at));
      case 'crash':
      case 'stop':
        return this.wasBusy(event.process, at) || this.wasSentToWhileDown(event.process, at);
      case 'restart':
        return later.some(({ process }) => process === event.process);
      case 'duplicate':
        return later.some(({ kind, cause }) => kind === 'deliver' && cause === at);
      case 'pause':
        return this.pauseDelayed(event.process, at);
      case 'hold':
        return later.some((other) => hex(other) === event.until);
      default:
        return true;
    }
  }

  private linksCutAt(at: number): string[] {
    const before = this.moments[at - 1]?.cut ?? [];
    return (this.moments[at]?.cut ?? []).filter((link) => !before.includes(link));
  }

  private wasUsedWhileCut(link: string, at: number): boolean {
    const before = this.moments[at - 1]?.cut ?? [];
    const isStopped = (ways: readonly string[]): boolean =>
      ways.includes(link) && !ways.some((way) => before.includes(way));
    for (let now = at; this.moments[now]?.cut.includes(link) === true; now++) {
      if (this.onTheirWay(now).some((message) => isStopped(waysOf(message)))) return true;
    }
    return false;
  }

  /** Whether any event has happened at it since it last began. */
  private wasBusy(name: string, at: number): boolean {
    let busy = false;
    for (const { event } of this.moments.slice(0, at)) {
      if (event.process === name) busy = !['start', 'restart', 'spawn'].includes(event.kind);
    }
    return busy;
  }

  /** Nothing happens to a paused process but its end, or the end of the pause. */
  private pauseDelayed(name: string, at: number): boolean {
    const isOfIt = (moment: number): boolean => this.moments[moment]?.event.process === name;
    let until = at + 1;
    while (until < this.moments.length && !isOfIt(until)) until++;
    if (until === at + 1) return false;
    const after = this.moments.slice(until + 1).map(({ event }) => event);
    if (this.moments[until]?.event.kind === 'resume')
      if (after.some((event) => event.process === name && isInternal(event))) return true;
    for (let now = at; now < until; now++) if (this.onTheirWay(now).some(({ to }) => to === name)) return true;
    return false;
  }

  private wasSentToWhileDown(name: string, at: number): boolean {
    for (let now = at; now < this.moments.length && this.moments[now]?.up.includes(name) === false; now++) {
      if (this.onTheirWay(now).some(({ to }) => to === name)) return true;
    }
    return false;
  }

  /** Messages that were under way at the event, or sent in it, to a process that is up sooner or later. */
  private onTheirWay(at: number): OnItsWay[] {
    const { pending = [], gone = [] } = this.moments[at] ?? {};
    const all = [...(this.moments[at - 1]?.pending ?? []), ...pending, ...gone];
    return all.filter(({ to }) => this.moments.some(({ event }) => event.process === to));
  }
}

function onItsWay(event: Internal): OnItsWay[] {
  if (event.kind === 'deliver') return [{ from: event.from, to: event.process, lane: event.lane }];
  return event.kind === 'return' ? [{ from: undefined, to: event.process }] : [];
}

const linkOf = (from: string, to: string, lane?: string): string => `${from} → ${to} ${lane ?? ''}`;

/** The link and the lane that a message takes: a cut of either stops it. */
const waysOf = ({ from, to, lane }: OnItsWay): string[] =>
  from === undefined ? [] : [linkOf(from, to), ...(lane === undefined ? [] : [linkOf(from, to, lane)])];
