import { readFileSync, writeFileSync } from 'node:fs';
import { CulpritError, search } from 'culprit';
import { readTrace, writeTrace } from 'culprit/trace';
import { largeCommands } from '../test/twins/large/commands.ts';
import { largeSystems } from '../test/twins/large/systems.ts';
import { MAKE, type LargeAnswer } from './large.ts';

/** One command with the trace of one shape and size, which another process has made: see `large.ts`. */
const [shape = '', command = '', size = '', file = ''] = process.argv.slice(2);
const system = (largeSystems[shape] as (typeof largeSystems)[string])(Number(size));
const before = process.cpuUsage();
const seconds = await run().then(
  () => secondsSince(before),
  (error: unknown) => (error instanceof CulpritError ? `refused: ${error.code}` : `threw ${String(error)}`),
);
const answer: LargeAnswer = { seconds, peakMb: process.resourceUsage().maxRSS / 1024 };
process.send?.(answer);
process.disconnect();

async function run(): Promise<void> {
  if (command === MAKE) {
    const { findings } = await search(system, { executions: 1, eventsMax: 2 * Number(size), workers: 1 });
    writeFileSync(file, writeTrace((findings[0] as (typeof findings)[number]).trace));
  } else await largeCommands[command]?.(readTrace(readFileSync(file, 'utf8'), file), system);
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system: kernel } = process.cpuUsage(start);
  return (user + kernel) / 1e6;
}
