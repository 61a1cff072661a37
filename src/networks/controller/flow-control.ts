import type { SessionResource } from '../../kernel/uncontrolled/session-resources.ts';
import type { World } from '../../kernel/world.ts';
import type { ControlConnection } from './control-connection.ts';

/** A connection whose controller waits. */
interface PausedConnection {
  readonly connection: ControlConnection;
  readonly controller: string;
  readonly switch: string;
}

/** So many events pass between two looks at the messages in flight. */
const EVENTS_PER_LOOK = 64;

/** Lets controllers send again that had to wait because many of their messages were in flight. */
export class FlowControl implements SessionResource {
  private paused: PausedConnection[] = [];
  private events = 0;

  /** Opens it for a session: for `Io.shared`. */
  static readonly open = (): FlowControl => new FlowControl();

  add(paused: PausedConnection): void {
    this.paused.push(paused);
  }

  afterEvent(world: World): void {
    if (this.paused.length === 0 || ++this.events % EVENTS_PER_LOOK !== 0) return;
    const counts = new Map<string, number>();
    for (const event of world.pending) {
      if (event.kind !== 'deliver') continue;
      const key = keyOf(event.from, event.process);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    this.paused = this.paused.filter(
      (one) => !one.connection.resumesWith(counts.get(keyOf(one.controller, one.switch)) ?? 0),
    );
  }

  close(): void {
    this.paused = [];
  }
}

const keyOf = (from: string, to: string): string => JSON.stringify([from, to]);
