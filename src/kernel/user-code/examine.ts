import { examine, TEXT_MAX } from '../../trace/plain-data.ts';
import { copyData } from '../data/copy.ts';
import type { LiveWorld } from '../live-world.ts';
import type { Process } from '../process.ts';

/** So many events of a process are examined one by one; then the 128th, the 256th and so on, as states grow with time. */
const EXAMINED = 64;

/**
 * Whether all that a process does in this event is examined for parts that copies would lose. Examining takes longer than most
 * handlers do, so a hunt that has examined one execution trusts the next ones, and long executions are sampled.
 */
const isDue = ({ isTrusted }: LiveWorld, { step }: Process): boolean =>
  !isTrusted && (step <= EXAMINED || (step & (step - 1)) === 0);

/** The state after an event. A copy is never frozen, so a frozen part would make a difference. */
export function examineState(world: LiveWorld, process: Process): void {
  if (process.state !== undefined && isDue(world, process)) examineStateNow(world, process);
}

/** The same, whether it is due or not. */
export function examineStateNow({ length }: LiveWorld, process: Process): void {
  if (process.state === undefined) return;
  process.holdsItself = examine(process.state, `${process.name}: the state after event ${length}`, false);
}

/**
 * A copy of what a handler hands to us: its message, its disk value. The receiver may change it, and the sender what it has kept.
 * Also where nothing else is examined, the first of its kind is.
 */
export function handedOver<T>(world: LiveWorld, process: Process, value: T, thing: string, of = ''): T {
  const copied = copyOf(world, process, value, thing, of);
  if (typeof value === 'string' && value.length > TEXT_MAX) examine(value, where(world, process, thing, of), true);
  if (typeof value !== 'object' || value === null) return copied;
  const kind = world.familiar.kindOf(process.at);
  if (!world.familiar.has(kind) || isDue(world, process)) {
    examine(value, where(world, process, thing, of), true);
    world.familiar.add(kind);
  }
  return copied;
}

/** If the value cannot be copied, the error names the event. The text is made for errors only: it would be slow at every event. */
function copyOf<T>(world: LiveWorld, process: Process, value: T, thing: string, of: string): T {
  try {
    return copyData(value, process.name, thing);
  } catch (error) {
    examine(value, where(world, process, thing, of), true);
    throw error;
  }
}

const where = (world: LiveWorld, process: Process, thing: string, of: string): string =>
  `${process.name}: ${thing}${of} in event ${world.length}`;
