import type { World } from '../kernel/world.ts';
import type { External } from '../trace/event.ts';

/**
 * A command that a system adds to `culprit step`: it injects an external, shows something, or is another name of a command that exists.
 * `words` is what stands behind its name. An error that it throws is shown, and nothing has happened.
 */
export type StepCommand = {
  /** Its arguments, for `help`: `from to`. */
  readonly takes?: string;
  /** What it does, for `help`: `pings another station`. */
  readonly does: string;
} & (
  | (Completing & { readonly inject: (words: readonly string[], world: World) => External })
  | (Completing & { readonly show: (words: readonly string[], shown: StepView) => readonly string[] })
  /** Such as `lose`; empty for the choice of an event by number or words. */
  | { readonly sameAs: string }
);

interface Completing {
  /** What Tab offers for the last of these words. */
  readonly completes?: (words: readonly string[], world: World) => readonly string[];
}

/** What a command can show: the world now, and states of the past. */
export interface StepView {
  /** The world after the last event; read it only. */
  readonly world: World;
  /** The state of a process after an event, counted from 1; undefined without a state. */
  readonly stateAfter: (process: string, event: number) => unknown;
}
