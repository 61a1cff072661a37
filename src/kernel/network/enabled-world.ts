import type { Internal, Spawn } from '../../trace/event.ts';
import type { Declaration } from '../declaration.ts';
import type { Owner, Process } from '../process.ts';
import type { InFlight } from './channel.ts';
import type { Channels } from './channels.ts';

/** The part of a world that decides which events are enabled. */
export interface EnabledWorld {
  readonly owner: Owner;
  readonly declaration: Declaration;
  readonly processes: readonly Process[];
  readonly channels: Channels;
  readonly pendingSpawns: ReadonlyMap<string, Spawn>;
  readonly holds: readonly Hold[];
  readonly delays: readonly Delay[];
  readonly nowMs: number;
  /** Defined if the session has a clock: that clock decides which timers are due. */
  readonly uncontrolled: object | undefined;
  place(name: string): number | undefined;
  /** The numbers of the channels that may hold messages. */
  channelsInUse(): readonly number[];
  /** The places of the processes in which timers or operations may wait, in order. */
  waitingPlaces(): readonly number[];
}

/** The environment holds a message back until the clock of the session shows this time. */
export interface Delay {
  readonly message: InFlight;
  readonly untilMs: number;
}

/** The environment holds a message back until an event has happened. */
export interface Hold {
  readonly message: InFlight;
  readonly until: Internal;
}
