import type { Judge } from '../../execution/run-and-judge.ts';
import type { Session } from '../../kernel/ports.ts';
import { Checkpoints } from '../../execution/prefix-sessions.ts';
import type { Origin } from '../../execution/record.ts';
import { actors } from '../../hosts/actor/target.ts';
import type { Event } from '../../trace/event.ts';

/** A world in which nothing has happened. */
export const opened = ({ system, seed }: Origin): Session => actors(system).open(seed);

/** Worlds along a recording to go on from; undefined where an oracle remembers: what it has seen cannot be copied with a world. */
export const checkpointsOf = (origin: Origin, recorded: readonly Event[], { oracle }: Judge): Checkpoints | undefined =>
  oracle.begin === undefined ? new Checkpoints(() => opened(origin), recorded) : undefined;
