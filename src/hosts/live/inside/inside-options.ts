import { flag, field, object, oneOf, type Field } from '../../../kernel/options/fields.ts';

/** What culprit sees and decides inside a program. */
export interface InsideOptions {
  /**
   * The language of the program: culprit adds code to its interpreter, and the program stays as it is. Without it, the program itself speaks
   * through the socket at `$sync`.
   */
  readonly shim?: ShimName;
  /** Whether the program gets its time from culprit: in a replay, that of the recording. */
  readonly time?: boolean;
  /** Whether its random numbers follow from the seed of the execution. */
  readonly random?: boolean;
  /** Whether its timers and sleeps are events. */
  readonly timers?: boolean;
  /** What its log statements are: notes of the trace; or barriers, where the program waits for an event; or nothing. */
  readonly logs?: 'notes' | 'barriers' | false;
  /** Whether the connections of switches come through the one socket of the program: then the order across them is the program's. Python only. */
  readonly sockets?: boolean;
  /** Whether culprit may make checkpoints of the program, from which replays proceed. Only with `sockets`. */
  readonly checkpoints?: boolean;
}

export type ShimName = 'python' | 'node';

export type InsideSettings = Required<Omit<InsideOptions, 'shim'>> & Pick<InsideOptions, 'shim'>;

export const insideField: Field = object<InsideOptions>('an object with options', {
  shim: oneOf(['python', 'node'] satisfies ShimName[]),
  time: flag,
  random: flag,
  timers: flag,
  sockets: flag,
  checkpoints: flag,
  logs: field("'notes', 'barriers' or false", (value) => value === 'notes' || value === 'barriers' || value === false),
});

export const insideSettings = (options: InsideOptions): InsideSettings => ({
  time: true,
  random: true,
  timers: true,
  logs: 'notes',
  sockets: false,
  checkpoints: false,
  ...options,
});
