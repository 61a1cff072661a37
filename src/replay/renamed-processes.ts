import type { ResolvedSystem } from '../system/resolve.ts';
import type { Trace } from '../trace/format.ts';

/**
 * A question for the user who replays a trace of a system whose processes have other names now; undefined if no process
 * is missing, or none is new.
 */
export function renameHint({ events }: Trace, { declaration }: ResolvedSystem): string | undefined {
  // Starts of processes that join name a kind.
  const declared = events.flatMap((event) => (event.kind === 'start' && event.of === undefined ? [event.process] : []));
  const missing = [...new Set(declared)].filter((name) => !declaration.processes.has(name));
  const known = new Set(events.map(({ process }) => process));
  const added = [...declaration.processes.keys()].filter((name) => !known.has(name));
  const [one, other] = [missing[0], added[0]];
  if (one === undefined || other === undefined) return undefined;
  if (missing.length === 1 && added.length === 1) return `did you rename ${one} to ${other}?`;
  return `did you rename ${missing.join(', ')}? The system now has ${added.join(', ')}.`;
}
