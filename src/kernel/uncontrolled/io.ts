import { digestText, mixHi, mixLo } from '../../trace/digest.ts';
import type { Context, SendOptions } from '../behavior.ts';
import { HandlerContext } from '../context.ts';
import { copyData } from '../data/copy.ts';
import { Random } from '../data/random.ts';
import type { LiveWorld } from '../live-world.ts';
import type { Process } from '../process.ts';
import type { Deed, Exit } from './inbox.ts';
import type { Host } from '../host.ts';
import type { ProcessTimes } from './process-times.ts';
import type { SessionClock } from './session-clock.ts';
import type { SessionResource, SessionResources } from './session-resources.ts';
import type { UncontrolledWorld } from './uncontrolled-world.ts';

/**
 * What a process may use whose code runs by itself: at any time, also between two events. What it does is caused by its last
 * event.
 */
export interface Io extends Pick<
  Context<unknown>,
  'self' | 'peers' | 'restarts' | 'random' | 'setTimer' | 'repeatTimer' | 'cancelTimer'
> {
  /** The clock of the session: it runs by itself, also between two events. */
  readonly clock: SessionClock;
  /** The time that code of the process gets which asks for it: see `ProcessTimes`. */
  timeMs(): number;
  /** Whether its folder and everything else that survived the last life must be emptied before it starts. */
  readonly isWiped: boolean;
  /** The declared processes in declaration order, and the host of each that has one. */
  readonly declared: ReadonlyMap<string, Host | undefined>;
  /** Something that processes of this session share: opened by the first that asks, closed with the session. */
  shared<R extends SessionResource>(open: () => R): R;
  /** Sends a message, at any time: it is caused by the last event of the process. */
  send(to: string, message: unknown, options?: SendOptions): void;
  /** Something was seen of the process, such as a line of its log or another state. */
  observe(what: string, content: unknown): void;
  /** The process ended by itself. */
  exited(how: Exit): void;
  /** The process did something that it must not do, such as printing a line that is no message: it crashes, as if it had thrown. */
  failed(error: unknown): void;
}

/** The context of a process that does things by itself: all of them go through the inbox. */
export class IoContext extends HandlerContext implements Io {
  readonly clock: SessionClock;
  readonly declared: ReadonlyMap<string, Host | undefined>;
  readonly isWiped: boolean;
  /** Its own in each life, so that the draws of a life do not depend on how many there were before. */
  private readonly draws: Random;
  private readonly resources: SessionResources;
  private readonly times: ProcessTimes;
  private readonly act: (deed: Deed) => void;

  constructor(world: LiveWorld, process: Process, { inbox, clock, resources, times, draws }: UncontrolledWorld) {
    super(world, process, process.name);
    this.clock = clock;
    this.isWiped = process.isWiped;
    this.resources = resources;
    this.times = times;
    const lifeName = `${process.name} ${process.restarts}`;
    this.draws = draws.get(lifeName) ?? drawsOf(lifeName, world.seed);
    draws.set(lifeName, this.draws);
    this.declared = new Map([...world.declaration.processes].map(([name, { host }]) => [name, host]));
    const { name, life } = process;
    this.act = (deed) => inbox.push({ process: name, life, atMs: clock.nowMs, deed });
  }

  shared<R extends SessionResource>(open: () => R): R {
    return this.resources.of(open);
  }

  override send(to: string, message: unknown, options?: SendOptions): void {
    this.act({ kind: 'send', to, message: this.copied(message), lane: options && this.laneIn(options) });
  }

  observe(what: string, content: unknown): void {
    this.act({ kind: 'observe', what, content: this.copied(content) });
  }

  override get random(): Random {
    return this.draws;
  }

  timeMs(): number {
    return this.times.read(this.self);
  }

  override setTimer(timer: string, afterMs: number): void {
    this.act({ kind: 'setTimer', timer, afterMs, everyMs: 0 });
  }

  override repeatTimer(timer: string, everyMs: number): void {
    this.act({ kind: 'setTimer', timer, afterMs: everyMs, everyMs });
  }

  override cancelTimer(timer: string): void {
    this.act({ kind: 'cancelTimer', timer });
  }

  exited(how: Exit): void {
    this.act({ kind: 'exit', how });
  }

  failed(error: unknown): void {
    this.act({ kind: 'fail', error });
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

function drawsOf(lifeName: string, seed: number): Random {
  const { hi, lo } = digestText(lifeName);
  return Random.seeded(mixHi(hi, seed), mixLo(lo, seed));
}
