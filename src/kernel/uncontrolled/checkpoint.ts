import type { StateCheckpoint } from '../behavior.ts';
import type { LiveWorld } from '../live-world.ts';
import type { Process } from '../process.ts';
import { eventLoopTurned } from '../user-code/turns.ts';
import { takeIn } from './arrivals.ts';
import { IoContext } from './io.ts';
import { copyOf, type UncontrolledWorld } from './uncontrolled-world.ts';

/** Whether all processes of a world that do things by themselves can be copied by those who run them. */
export const isCheckpointable = ({ uncontrolled, isUnderWay, processes }: LiveWorld): boolean =>
  uncontrolled?.clock.copyAt !== undefined && !isUnderWay && processes.every(canBeCopied);

const canBeCopied = ({ awaits, isPaused, subject, behavior }: Process): boolean =>
  !awaits && (subject === undefined || (behavior.checkpoint !== undefined && !isPaused));

/** A process whose code runs outside culprit, and its checkpoint. */
interface Kept {
  readonly at: number;
  readonly state: StateCheckpoint<object>;
}

/** A world in which processes do things by themselves, as it was at one moment. */
export class WorldCheckpoint {
  private constructor(
    private readonly world: LiveWorld,
    private readonly uncontrolled: UncontrolledWorld,
    private readonly nowMs: number,
    private readonly kept: readonly Kept[],
  ) {}

  /** Undefined if a process cannot be copied now, or did something by itself meanwhile. */
  static async of(world: LiveWorld, uncontrolled: UncontrolledWorld): Promise<WorldCheckpoint | undefined> {
    const kept: Kept[] = [];
    const giveUp = (): undefined => {
      for (const { state } of kept) state.close();
    };
    for (const { at, subject, behavior } of world.processes) {
      if (subject === undefined) continue;
      const state = await behavior.checkpoint?.(subject);
      if (state === undefined) return giveUp();
      kept.push({ at, state });
    }
    // What was said before the checkpoints may be on its way to the world.
    await eventLoopTurned();
    await takeIn(world, uncontrolled);
    const { nowMs } = uncontrolled.clock;
    const copied = copyOf(uncontrolled, nowMs);
    if (copied === undefined || !uncontrolled.inbox.isEmpty || !kept.every(({ state }) => state.isFresh()))
      return giveUp();
    return new WorldCheckpoint(world.fork(copied), copied, nowMs, kept);
  }

  /** The world as it was then; undefined if a process of it is gone. */
  async proceed(): Promise<LiveWorld | undefined> {
    const uncontrolled = copyOf(this.uncontrolled, this.nowMs);
    if (uncontrolled === undefined) return undefined;
    const world = this.world.fork(uncontrolled);
    for (const { at, state } of this.kept) {
      const process = world.own(at);
      process.subject = await state.proceed(new IoContext(world, process, uncontrolled));
      if (process.subject === undefined) return undefined;
      world.mayNotBeCopyable(process);
    }
    return world;
  }

  close(): void {
    for (const { state } of this.kept) state.close();
  }
}
