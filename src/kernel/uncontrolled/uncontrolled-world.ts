import type { Declaration } from '../declaration.ts';
import { guaranteesOf, uncontrolledHosts } from '../guarantees.ts';
import type { Random } from '../data/random.ts';
import { MixedClocks } from '../errors.ts';
import { ChannelIdentities } from './identity.ts';
import { Inbox } from './inbox.ts';
import { ProcessTimes } from './process-times.ts';
import { RealClock, type SessionClock } from './session-clock.ts';
import { SessionResources } from './session-resources.ts';

/** What a world has besides where processes do something by themselves. */
export interface UncontrolledWorld {
  readonly inbox: Inbox;
  readonly clock: SessionClock;
  readonly identities: ChannelIdentities;
  /** Index of the last event of each process: the cause of what it does by itself. */
  readonly lastEvents: Map<string, number>;
  /** The time that such processes get. */
  readonly times: ProcessTimes;
  /** The random numbers of each life of such a process, as far as they are drawn. */
  readonly draws: Map<string, Random>;
  /** What such processes share. */
  readonly resources: SessionResources;
}

/** Undefined where nothing happens unless it is performed. */
export function uncontrolledWorld(declaration: Declaration): UncontrolledWorld | undefined {
  const { controlled } = guaranteesOf(declaration);
  if (controlled) return undefined;
  const { fingerprint = (message) => message } = declaration;
  const clock = clockOf(declaration);
  return {
    inbox: new Inbox(),
    clock,
    times: new ProcessTimes(clock),
    identities: new ChannelIdentities(fingerprint),
    lastEvents: new Map(),
    draws: new Map(),
    resources: new SessionResources(),
  };
}

/**
 * The same for a copy of the world, at this time of its clock; undefined if the clock cannot be copied. What processes share, they still share.
 */
export function copyOf(
  { clock, times, identities, lastEvents, draws, resources }: UncontrolledWorld,
  nowMs: number,
): UncontrolledWorld | undefined {
  const copied = clock.copyAt?.(nowMs);
  return (
    copied && {
      inbox: new Inbox(),
      clock: copied,
      times: times.copyOn(copied),
      identities: identities.copy(),
      lastEvents: new Map(lastEvents),
      draws: new Map([...draws].map(([life, random]) => [life, random.copy()])),
      resources,
    }
  );
}

/** One clock for all: a process on a clock of its own could not be waited for together with the others. */
function clockOf(declaration: Declaration): SessionClock {
  const hosts = uncontrolledHosts(declaration);
  const clocks = new Set(hosts.map(({ clock }) => clock));
  if (clocks.size > 1) throw new MixedClocks(hosts.map(({ name }) => name));
  const [clock] = clocks;
  return clock?.() ?? new RealClock();
}
