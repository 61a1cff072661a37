import { CulpritError } from '../error.ts';
import { CallLog, type Answers, type SourceCall } from './call-log.ts';
import { watching } from './watch.ts';
import type { Listener } from '../execution/record.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import { endDifference, eventsDifference, type Difference } from '../trace/difference.ts';
import type { EventLine, Trace } from '../trace/format.ts';
import { withWrappedCallbacks } from './callbacks.ts';

/** Repeats the execution with this system, and records it. */
export type Again = (system: ResolvedSystem, listener: Listener) => Promise<Trace>;

/** One watched execution. */
export interface Attempt {
  readonly events: readonly EventLine[];
  /** The trace, if the execution ended. */
  readonly trace: Trace | undefined;
  /** The error that stopped the execution, if one did. */
  readonly stopped: CulpritError | undefined;
  readonly calls: readonly SourceCall[];
}

/** Executes once while sources of nondeterminism are watched. Without `answers`, they give their real answers. */
export async function attempt(system: ResolvedSystem, again: Again, answers?: Answers): Promise<Attempt> {
  const noting = new CallLog(answers);
  const events: EventLine[] = [];
  const listener: Listener = {
    opened: (session) => (noting.session = session),
    line: (line) => events.push(line),
  };
  try {
    const trace = await watching(noting, () => again(naming(system, noting), listener));
    return { events, trace, stopped: undefined, calls: noting.calls };
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    return { events, trace: undefined, stopped: error, calls: noting.calls };
  }
}

/** The same system, whose functions record their names before they call anything. */
export const naming = (system: ResolvedSystem, noting: CallLog): ResolvedSystem =>
  withWrappedCallbacks(system, (who, look) => (...args) => {
    const before = noting.caller;
    noting.caller = who;
    try {
      return look(...args);
    } finally {
      noting.caller = before;
    }
  });

/** The first difference between two attempts. */
export function attemptsDiffer(then: Attempt, now: Attempt): Difference | undefined {
  const found = eventsDifference(then.events, now.events);
  if (found !== undefined) return found;
  if (then.trace !== undefined && now.trace !== undefined) return endDifference(then.trace, now.trace);
  const [was, is] = [ending(then), ending(now)];
  if (was === is) return undefined;
  const event = Math.min(then.events.length, now.events.length) + 1;
  return { event, what: `it ends differently (${is}) than before (${was}).`, reordered: false };
}

const ending = ({ events, stopped }: Attempt): string =>
  stopped === undefined ? `after ${events.length} events` : stopped.message;
