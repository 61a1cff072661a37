import type { FakeAnswer } from './fake-answer.ts';

/** The kinds of influence that culprit does not control. */
export type SourceKind = 'clock' | 'chance' | 'timer' | 'io' | 'machine' | 'garbage';

/** A function through which something that culprit does not control influences an execution. */
export interface Source {
  /** The name in code: `Date.now`. */
  readonly name: string;
  readonly kind: SourceKind;
  /** The object that has the function, and its key there. */
  readonly holder: object;
  readonly key: string;
  /** Another object that has the same function. */
  readonly also?: { readonly holder: object; readonly key: string };
  /** Whether a call with these arguments is nondeterministic; without it, any call is. */
  readonly leaks?: (args: readonly unknown[]) => boolean;
  /** Makes a fake answer; `real` calls the function itself. Undefined if no answer can be faked. */
  readonly answer?: (draw: FakeAnswer, args: readonly unknown[], real: (args: unknown[]) => unknown) => unknown;
}

/** The remedy for each kind. */
export const remedies: Readonly<Record<SourceKind, string>> = {
  clock: 'Take the time from ctx.nowMs (in a class: io.now).',
  chance: 'Draw from ctx.random (in a class: io.random).',
  timer: 'Wait with ctx.setTimer or ctx.sleep (in a class: io.setTimeout or io.sleep).',
  io: 'Keep what must last with ctx.disk (in a class: io.storage), send with ctx.send (io.send), and read files before the system is defined.',
  machine: 'Keep values that depend on the machine out of the execution, or pass them as parameters.',
  garbage: 'Do not use weak references in handlers: garbage collection is not deterministic.',
};
