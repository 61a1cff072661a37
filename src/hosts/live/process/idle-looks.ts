import { setTimeout as delay } from 'node:timers/promises';
import type { Descendants } from './descendants.ts';
import { threadsOf } from './proc.ts';
import { quietWithin, sleepingThreads, type Watched } from './quiescence.ts';

/** Looks at a program that has nothing to do. */
export interface IdleLooks {
  readonly looks: number;
  /** How many of them differed from the one before. */
  readonly differed: number;
  /** How many of them found a thread that ran. */
  readonly awake: number;
  /** How often the thread that woke most often did so. */
  readonly wakes: number;
  /** The time from the first look to the last. */
  readonly ms: number;
}

const IDLE = { looks: 20, apartMs: 10, rounds: 3, quietMs: 2_000 };

/** A thread that wakes so often, or more often, polls. */
const POLL_MS = 30;

/**
 * Whether a program polls or spins: then a message may wait for the next poll while all threads sleep, and looks at them do not tell. A thread
 * that wakes less often has a timer, such as one for retries. What timers are about to do cannot be seen, nor awaited in a short
 * time, and a message does not wait for them. The wakes are counted by the kernel, so that a busy machine changes nothing.
 */
export const doesPoll = ({ looks, awake, wakes, ms }: IdleLooks): boolean => wakes * POLL_MS > ms || awake * 3 >= looks;

/**
 * Looks whether a program that has nothing to do runs all the same. It may still be starting, so it is left alone until it is quiet,
 * and gets further rounds.
 */
export async function idleLooks(program: Watched): Promise<IdleLooks> {
  for (let round = 1; ; round++) {
    await quietWithin(program, IDLE.quietMs);
    const idle = await looksAt(program.descendants);
    if (!doesPoll(idle) || round === IDLE.rounds) return idle;
  }
}

async function looksAt(descendants: Descendants): Promise<IdleLooks> {
  const [begunMs, wakesBefore] = [performance.now(), wakesIn(descendants)];
  let [differed, awake] = [0, 0];
  const look = (): string | undefined => {
    descendants.now();
    return sleepingThreads(descendants.threads);
  };
  let last = look();
  for (let looks = 0; looks < IDLE.looks; looks++) {
    await delay(IDLE.apartMs);
    const now = look();
    if (now === undefined || now !== last) differed += 1;
    if (now === undefined) awake += 1;
    last = now;
  }
  const wakes = [...wakesIn(descendants)].map(([thread, count]) => count - (wakesBefore.get(thread) ?? 0));
  return { looks: IDLE.looks, differed, awake, wakes: Math.max(0, ...wakes), ms: performance.now() - begunMs };
}

/** How often each thread has gone to sleep by itself, so far. */
const wakesIn = (descendants: Descendants): ReadonlyMap<string, number> =>
  new Map(
    descendants
      .now()
      .flatMap(threadsOf)
      .map(({ id, switches }) => [id, Number(switches.split(' ')[0])]),
  );
