import { examine } from '../trace/plain-data.ts';
import type { LiveWorld } from './live-world.ts';
import type { Process } from './process.ts';

/** So many events of a process are examined one by one; then the 128th, the 256th and so on, as states grow with time. */
const EXAMINED = 64;

/**
 * Whether what a process does in this event is examined for parts that copies would lose. Examining takes longer than most handlers
 * do, so a hunt that has examined one execution trusts the next ones, and long executions are sampled.
 */
const isDue = ({ isTrusted }: LiveWorld, { step }: Process): boolean =>
  !isTrusted && (step <= EXAMINED || (step & (step - 1)) === 0);

/** The state after an event. A copy is never frozen, so a frozen part would make a difference. */
export function examineState(world: LiveWorld, process: Process): void {
  if (process.state === undefined || !isDue(world, process)) return;
  process.holdsItself = examine(process.state, `${process.name}: the state after event ${world.length}`, false);
}

/** What a handler hands to us: it is copied at once, and who gets the copy may change it. */
export function examineValue(world: LiveWorld, process: Process, value: unknown, thing: string): void {
  if (typeof value !== 'object' || value === null || !isDue(world, process)) return;
  examine(value, `${process.name}: ${thing} in event ${world.length}`, true);
}
