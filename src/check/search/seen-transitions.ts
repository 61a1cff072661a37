import { DataDigest } from '../../trace/data-digest.ts';
import { hex } from '../../trace/digest.ts';
import { isInternal, type External, type Internal } from '../../trace/event.ts';
import { comparableContent } from '../../trace/event-subject.ts';
import type { Session } from '../../kernel/ports.ts';
import type { ProcessView, World } from '../../kernel/world.ts';

type SeenStep = Internal | External;

/**
 * Remembers each event together with the state of its process, and each external together with the states of all
 * processes. Earlier messages and other pending events make no difference.
 */
export class SeenTransitions {
  private readonly met = new Set<string>();

  save(): string[] {
    return [...this.met];
  }

  restore(met: readonly string[]): void {
    for (const name of met) this.met.add(name);
  }

  /** Adds a transition. */
  meet(session: Session, step: SeenStep): void {
    this.met.add(nameOf(session, step));
  }

  hasMet(session: Session, step: SeenStep): boolean {
    return this.met.has(nameOf(session, step));
  }
}

function nameOf({ world }: Session, step: SeenStep): string {
  const what = isInternal(step) ? [visibleContent(step), ...stateOf(world, step.process)] : [step, ...statesIn(world)];
  return hex(new DataDigest().data(what));
}

/** The content that a handler can see, and whether an answer is expected. */
const visibleContent = (event: Internal): readonly unknown[] => [
  ...comparableContent(event),
  'ask' in event && event.ask > 0,
];

/** A process that was spawned and has not begun has no state yet. */
function stateOf(world: World, name: string): readonly unknown[] {
  const view = world.up().find((process) => process.name === name);
  return [name, view === undefined ? undefined : known(view)];
}

const statesIn = (world: World): readonly unknown[] => world.up().flatMap((process) => [process.name, known(process)]);

const known = ({ state, disk }: ProcessView): unknown => [state, disk];
