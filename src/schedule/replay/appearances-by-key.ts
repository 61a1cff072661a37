import type { AppendOnly } from '../../kernel/data/append-only.ts';
import { isInternal, type Event, type Internal } from '../../trace/event.ts';
import { appearedMs, isReaction } from './appeared.ts';

/** The events of a replay that are alike, and have happened or are pending. */
export interface Appearances {
  readonly all: number;
  /** When the last of them appeared. */
  readonly latestMs: number;
  /** Whether a program sent one of them by itself, and not at once when something happened to it. */
  readonly isByItself: boolean;
}

interface AppearanceOptions {
  /** Equal for events that are alike. */
  readonly keyOf: (event: Internal) => string;
  readonly isMadeByItself: (event: Internal) => boolean;
}

/** What is looked at of a replay. */
export interface AppearanceSession {
  readonly recording: { readonly events: Pick<AppendOnly<Event>, 'length' | 'since' | 'get'> };
  readonly world: { readonly pending: readonly Internal[] };
  readonly nowMs: number;
}

/** Counts the events of one replay by their keys. An event that has happened is looked at once, though every external asks. */
export class AppearancesByKey {
  private readonly happened = new Map<string, Appearances>();
  private length = 0;

  constructor(private readonly options: AppearanceOptions) {}

  /** All that has appeared by now. */
  upTo(session: AppearanceSession): ReadonlyMap<string, Appearances> {
    const { events } = session.recording;
    for (const event of events.since(this.length)) if (isInternal(event)) this.count(this.happened, event, session);
    this.length = events.length;
    const { pending } = session.world;
    if (pending.length === 0) return this.happened;
    const all = new Map(this.happened);
    for (const event of pending) this.count(all, event, session);
    return all;
  }

  private count(found: Map<string, Appearances>, event: Internal, session: AppearanceSession): void {
    const key = this.options.keyOf(event);
    const { all, latestMs, isByItself } = found.get(key) ?? NONE;
    found.set(key, {
      all: all + 1,
      latestMs: Math.max(latestMs, appearedMs(event, session.nowMs)),
      isByItself: isByItself || this.isByItself(event, session),
    });
  }

  private isByItself(event: Internal, { recording }: AppearanceSession): boolean {
    const causedBy = recording.events.get(event.cause);
    return this.options.isMadeByItself(event) && !(causedBy !== undefined && isReaction(event, causedBy));
  }
}

const NONE: Appearances = { all: 0, latestMs: Number.NEGATIVE_INFINITY, isByItself: false };
