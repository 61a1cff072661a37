import type { Timing } from 'culprit/kernel';
import type { Complete, Fire, Internal, Spawn } from 'culprit/trace';
import { hex } from 'culprit/trace';
import type { Fact } from './random-system.ts';

/** Timers, disk requests, sleeps, time limits and spawns as flat lists: the second half of the twin. */
export class RequestsTwin {
  private timers: Fire[] = [];
  private requests: Complete[] = [];
  private births: Spawn[] = [];
  private readonly disks = new Map<string, ReadonlyMap<string, unknown>>();
  /** The things that the current event must have made. */
  private timersSet = new Set<string>();
  private requested: Extract<Fact, { fact: 'request' }>[] = [];
  private spawned: string[] = [];

  constructor(private readonly timing: Timing) {}

  begin(): void {
    this.timersSet = new Set();
    this.requested = [];
    this.spawned = [];
  }

  fired(event: Fire): void {
    this.timers = this.timers.filter((timer) => hex(timer) !== hex(event));
    if (event.everyMs > 0) this.timersSet.add(`${event.process} ${event.timer}`);
  }

  completed(event: Complete): void {
    this.requests = this.requests.filter((request) => hex(request) !== hex(event));
    this.store([event]);
  }

  born(event: Spawn): void {
    this.births = this.births.filter((birth) => hex(birth) !== hex(event));
  }

  timerSet(process: string, timer: string): void {
    this.timerCanceled(process, timer);
    this.timersSet.add(`${process} ${timer}`);
  }

  timerCanceled(process: string, name: string): void {
    this.timers = this.timers.filter(({ process: owner, timer }) => owner !== process || timer !== name);
    this.timersSet.delete(`${process} ${name}`);
  }

  request(fact: Extract<Fact, { fact: 'request' }>): void {
    this.requested.push(fact);
  }

  spawn(child: string): void {
    this.spawned.push(child);
  }

  /** An ask is settled: its time limit is canceled. */
  dropLimit(process: string, ask: number): void {
    this.requests = this.requests.filter(
      (limit) => limit.process !== process || limit.operation !== 'timeout' || limit.request !== ask,
    );
  }

  /** The process is gone; if it stopped, its writes complete. */
  vanish(process: string, writing: 'lost' | 'written'): void {
    if (writing === 'written') this.store(this.requests.filter((request) => request.process === process));
    this.timers = this.timers.filter((timer) => timer.process !== process);
    this.requests = this.requests.filter((request) => request.process !== process);
    this.requested = this.requested.filter((request) => request.process !== process);
    for (const timer of this.timersSet) if (timer.startsWith(`${process} `)) this.timersSet.delete(timer);
  }

  /** Takes the new things of the kernel, and returns how they differ from the expected ones. */
  learn(fresh: readonly Internal[]): string[] {
    const timers = fresh.filter((event) => event.kind === 'fire');
    const requests = fresh.filter((event) => event.kind === 'complete');
    const births = fresh.filter((event) => event.kind === 'spawn');
    this.timers.push(...timers);
    this.requests.push(...requests);
    this.births.push(...births);
    const line = ({ process, operation, key }: Omit<(typeof this.requested)[number], 'fact'>): string =>
      `${process} ${operation} ${key}`;
    return [
      ...unlike(
        'timers',
        [...this.timersSet],
        timers.map(({ process, timer }) => `${process} ${timer}`),
      ),
      ...unlike('requests', this.requested.map(line), requests.map(line)),
      ...unlike(
        'births',
        this.spawned,
        births.map(({ process }) => process),
      ),
    ];
  }

  enabled(accepts: (process: string) => boolean, isPaused: (process: string) => boolean): string[] {
    const timers = this.timers.filter(({ process }) => accepts(process));
    const possible = this.requests.filter(({ process }) => !isPaused(process));
    const clocks = [...timers, ...possible.filter(isTimed)].map(({ deadlineMs }) => deadlineMs);
    const horizon = this.timing === 'any' ? Infinity : Math.min(...clocks) + this.timing.skewMs;
    const requests = possible.filter((request) =>
      isTimed(request) ? request.deadlineMs <= horizon : this.isOldest(request),
    );
    return [...this.births, ...timers.filter(({ deadlineMs }) => deadlineMs <= horizon), ...requests].map(hex);
  }

  pending(): string[] {
    return [...this.births, ...this.timers, ...this.requests].map(hex);
  }

  /** What was durable is lost. */
  wipe(process: string): void {
    this.disks.delete(process);
  }

  diskOf(process: string): ReadonlyMap<string, unknown> {
    return this.disks.get(process) ?? new Map();
  }

  private isOldest({ process, key, request }: Complete): boolean {
    const sameKey = this.requests.filter((other) => !isTimed(other) && other.process === process && other.key === key);
    return sameKey.every((other) => other.request >= request);
  }

  private store(requests: readonly Complete[]): void {
    for (const { process, operation, key, value } of requests) {
      if (operation === 'write') this.disks.set(process, new Map([...this.diskOf(process), [key, value]]));
    }
  }
}

/** A line if two lists differ as multisets, none otherwise. */
export function unlike(what: string, expected: readonly string[], found: readonly string[]): string[] {
  const [wanted, shown] = [expected.toSorted().join(', '), found.toSorted().join(', ')];
  return wanted === shown ? [] : [`${what}: expected ${wanted || 'none'}, found ${shown || 'none'}`];
}

const isTimed = ({ operation }: Complete): boolean => operation === 'sleep' || operation === 'timeout';
