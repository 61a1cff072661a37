import type { Judge } from '../../execution/run-and-judge.ts';
import type { Session } from '../../kernel/ports.ts';
import { Checkpoints } from '../../execution/prefix-sessions.ts';
import type { Origin } from '../../execution/record.ts';
import { targetOf } from '../../hosts/target.ts';
import type { Event } from '../../trace/event.ts';
import { remembers } from '../../oracles/remembers.ts';

/** A session at the start. */
export const opened = ({ system, seed }: Origin): Session => targetOf(system).open(seed);

/** Sessions along a recording. Undefined if the oracle has memory, which cannot be copied with a world. */
export const checkpointsOf = (origin: Origin, recorded: readonly Event[], { oracle }: Judge): Checkpoints | undefined =>
  remembers(oracle) ? undefined : new Checkpoints(() => opened(origin), recorded);
