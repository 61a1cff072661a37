import { send } from 'culprit';
import { strategyCalled, type ResolvedSystem, Random, type Session, type Strategy } from 'culprit/kernel';
import type { External } from 'culprit/trace';
import { nodeNames, type Message } from './raft-like.ts';

/** One step in this many is a client's command. */
const COMMAND_EVERY = 20;
/** A workload is generated once and used in every execution. */
const commands: readonly External<Message>[] = Array.from({ length: 1000 }, (_, at) =>
  send(nodeNames[at % nodeNames.length] as string, { type: 'command', command: `set x ${at}` }),
);
/** One in this many drawn timers fires: if any timer may fire at any moment, few should. */
const ACCEPTED = { heartbeat: 10, election: 200 };

/** The random strategy, with endless clients, and with rare timers if the system has no clock. */
export class WithClients implements Strategy {
  private readonly inner: Strategy;
  private readonly random: Random;
  private readonly patient: boolean;
  private step = 0;

  constructor(system: ResolvedSystem, seed: number) {
    this.inner = uniform(system, seed);
    this.random = Random.seeded(seed, seed);
    this.patient = system.declaration.timers === 'any';
  }

  next(session: Session): ReturnType<Strategy['next']> {
    this.step += 1;
    if (this.step % COMMAND_EVERY === 0) return this.random.pick(commands);
    let event = this.inner.next(session);
    if (this.patient) while (event !== undefined && this.isPremature(event)) event = this.inner.next(session);
    return event;
  }

  private isPremature(event: NonNullable<ReturnType<Strategy['next']>>): boolean {
    return (
      'kind' in event &&
      event.kind === 'fire' &&
      this.random.below(ACCEPTED[event.timer as 'heartbeat' | 'election']) !== 0
    );
  }
}

/** The random strategy with all event kinds equally likely. */
export const uniform = (system: ResolvedSystem, seed: number): Strategy =>
  strategyCalled('random')({ seed, plan: system.plan(seed), steps: 0, weights: { fire: 1 } });
