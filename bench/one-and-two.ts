import { loadavg } from 'node:os';
import type { Measured } from './row.ts';
import { median, ratio } from './timing.ts';

/**
 * The same work by one thread and by two, in turns, by the clock. Starting a thread and warming up its code count. The CPU time of two
 * against that of one says what sharing costs; the load says how far the other ratio can be trusted.
 */
export async function oneAndTwo(
  name: string,
  target: string,
  rounds: number,
  work: (workers: number) => Promise<unknown>,
): Promise<Measured[]> {
  const spent = {
    one: { wall: [] as number[], cpu: [] as number[] },
    two: { wall: [] as number[], cpu: [] as number[] },
  };
  for (let round = 0; round < rounds; round++) {
    for (const [workers, into] of [spent.one, spent.two].entries()) {
      const [beganMs, before] = [performance.now(), process.cpuUsage()];
      await work(workers + 1);
      const { user, system } = process.cpuUsage(before);
      into.wall.push((performance.now() - beganMs) / 1000);
      into.cpu.push((user + system) / 1e6);
    }
  }
  const { one, two } = spent;
  const row = (metric: string, value: number, unit: string): Measured => ({ case: name, metric, value, unit });
  return [
    row('one worker', median(one.wall), 's'),
    row('two workers', median(two.wall), 's'),
    { ...row('two against one', ratio(one.wall, two.wall), 'x'), target },
    row('CPU time of two against one', ratio(two.cpu, one.cpu), 'x'),
    row('load of the machine', loadavg()[0] as number, ''),
  ];
}
