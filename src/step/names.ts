import type { Track } from './track.ts';

/** The names of all processes: declared, joined or spawned, even if they have ended. */
export function namesIn({ origin, events }: Track): string[] {
  const names = new Set(origin.system.declaration.processes.keys());
  for (const { kind, process } of events) if (kind === 'start' || kind === 'spawn') names.add(process);
  return [...names];
}
