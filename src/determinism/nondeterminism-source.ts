import type { Draw } from './fake-answer.ts';

/** What kind of thing it is that culprit does not control. */
export type SourceKind = 'clock' | 'chance' | 'timer' | 'io' | 'machine' | 'garbage';

/** A function through which something that culprit does not control gets into an execution. */
export interface Source {
  /** As people write it: `Date.now`. */
  readonly name: string;
  readonly kind: SourceKind;
  /** The object that has it, and under which key. */
  readonly holder: object;
  readonly key: string;
  /** Another place where the very same function stands. */
  readonly also?: { readonly holder: object; readonly key: string };
  /** Whether a call with these arguments lets anything in; any does where it is missing. */
  readonly leaks?: (args: readonly unknown[]) => boolean;
  /** Makes up an answer; `real` calls the function itself. Missing where no answer can be made up. */
  readonly answer?: (draw: Draw, args: readonly unknown[], real: (args: unknown[]) => unknown) => unknown;
}

/** What to do instead. */
export const remedies: Readonly<Record<SourceKind, string>> = {
  clock: 'Take the time from ctx.nowMs (in a class: io.now).',
  chance: 'Draw from ctx.random (in a class: io.random).',
  timer: 'Wait with ctx.setTimer or ctx.sleep (in a class: io.setTimeout or io.sleep).',
  io: 'Keep what must last with ctx.disk (in a class: io.storage), send with ctx.send (io.send), and read files before the system is defined.',
  machine: 'Keep values that depend on the machine out of the execution, or pass them as parameters.',
  garbage: 'Do not use weak references in handlers: garbage collection is not deterministic.',
};
