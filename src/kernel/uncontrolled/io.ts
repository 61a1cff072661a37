import type { Context, SendOptions } from '../behavior.ts';
import { HandlerContext } from '../context.ts';
import { copyData } from '../data/copy.ts';
import type { LiveWorld } from '../live-world.ts';
import type { Process } from '../process.ts';
import type { Deed, Exit } from './inbox.ts';
import type { SessionClock } from './session-clock.ts';
import type { UncontrolledWorld } from './uncontrolled-world.ts';

/**
 * What a process may use whose code runs by itself: at any time, also between two events. What it does is caused by its last
 * event.
 */
export interface Io extends Pick<Context<unknown>, 'self' | 'peers' | 'restarts'> {
  readonly clock: SessionClock;
  send(to: string, message: unknown, options?: SendOptions): void;
  /** Something was seen of the process, such as a line of its log or another state. */
  observe(what: string, content: unknown): void;
  /** The process ended by itself. */
  exited(how: Exit): void;
}

/** The context of a process that does things by itself: all of them go through the inbox. */
export class IoContext extends HandlerContext implements Io {
  readonly clock: SessionClock;
  private readonly act: (deed: Deed) => void;

  constructor(world: LiveWorld, process: Process, { inbox, clock }: UncontrolledWorld) {
    super(world, process, process.name);
    this.clock = clock;
    const { name, life } = process;
    this.act = (deed) => inbox.push({ process: name, life, atMs: clock.nowMs, deed });
  }

  override send(to: string, message: unknown, options?: SendOptions): void {
    this.act({ kind: 'send', to, message: this.copied(message), lane: options && this.lane(options) });
  }

  observe(what: string, content: unknown): void {
    this.act({ kind: 'observe', what, content: this.copied(content) });
  }

  exited(how: Exit): void {
    this.act({ kind: 'exit', how });
  }

  /** What the process changes from now on is its own matter. Data that cannot be copied is refused when it is taken in. */
  private copied(value: unknown): unknown {
    try {
      return copyData(value, this.self, '');
    } catch {
      return value;
    }
  }
}
