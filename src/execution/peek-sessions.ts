import type { Session, SessionCheckpoint } from '../kernel/ports.ts';
import type { LenientReplay } from '../schedule/replay/lenient-replay.ts';
import type { WaitingProgress } from '../schedule/replay/waiting-options.ts';

/** A session in which a prefix is replayed. */
export interface PeekSession {
  readonly session: Session;
  /** The number of events of the prefix that it has behind it, and how far their replay has come. */
  readonly done: number;
  readonly after?: WaitingProgress | undefined;
}

interface KeptCheckpoint extends Omit<PeekSession, 'session'> {
  readonly checkpoint: SessionCheckpoint;
}

/**
 * Sessions for prefixes of one schedule, each of which begins with the one before. Where the programs of the system can be checkpointed,
 * a session proceeds from the end of the prefix before; elsewhere each begins at the start.
 */
export class PeekSessions {
  private opened: Session[] = [];
  private kept: KeptCheckpoint | undefined;

  constructor(private readonly open: () => Session) {}

  async begin(): Promise<PeekSession> {
    const { kept } = this;
    const session = await kept?.checkpoint.proceed();
    if (kept === undefined || session === undefined) {
      await this.close();
      return this.fresh();
    }
    this.opened.push(session);
    return { ...kept, session };
  }

  /** A session at the start. */
  fresh(): PeekSession {
    const session = this.open();
    this.opened.push(session);
    return { session, done: 0 };
  }

  /** So many events of the prefix are done: from here the next session proceeds, if it can. */
  async keep(done: number, { session, strategy }: { session: Session; strategy: LenientReplay }): Promise<void> {
    const checkpoint = await session.checkpoint?.();
    if (checkpoint === undefined) return;
    this.kept?.checkpoint.close();
    this.kept = { checkpoint, done, after: strategy.waitingProgress(session) };
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.opened = [];
    this.kept = undefined;
    for (const session of opened) await session.close();
  }
}
