import { defineSystem, start } from 'culprit';
import { resolveSystem, targetOf } from 'culprit/kernel';
import { command, jsonLines, tcp } from 'culprit/live';
import type { Measured } from '../row.ts';

const server = `
  require('node:net').createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => socket.write(chunk));
    socket.on('error', () => undefined);
  }).listen(...process.argv.slice(1));
`;

/** Asks so many times, one question after the other, at its peer's own address and at that of the proxy, and prints microseconds. */
const client = `
  const [port, announced, count, ...ways] = process.argv.slice(1);
  const hosts = { direct: announced.replace(/^(127[.][0-9]+)[.]1[.]/, '$1.0.'), proxy: announced };
  const ask = (way) => new Promise((done) => {
    const socket = require('node:net').connect(port, hosts[way], () => {
      let asked = 0;
      const began = process.hrtime.bigint();
      const next = () => {
        if (asked++ < count) return socket.write('{"type":"ping"}\\n');
        console.log(way, Number(process.hrtime.bigint() - began) / count / 1000);
        socket.end(done);
      };
      socket.setNoDelay(true).on('data', next);
      next();
    });
  });
  console.log('ready');
  // Time to find out that the program sleeps when it has nothing to do.
  setTimeout(async () => {
    for (let round = 0; round < 5; round++) for (const way of ways) await ask(way);
    console.log('done');
  }, 2000);
  setInterval(() => undefined, 1e6);
`;

interface Asked {
  /** Microseconds of a question and its answer, by way, one for each round. */
  readonly times: ReadonlyMap<string, readonly number[]>;
  readonly events: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function ask(pass: readonly string[], count: number, ways: readonly string[]): Promise<Asked> {
  const view = ({ out }: { out: readonly string[] }): { out: readonly string[] } => ({ out: [...out] });
  const processes = {
    b: command(['node', '-e', server, '$port', '$address'], { port: 7000, connect: tcp(jsonLines(), { pass }) }),
    a: command(['node', '-e', client, '$port.b', '$address.b', String(count), ...ways], {
      connect: tcp(jsonLines()),
      ready: { log: /ready/ },
      view,
    }),
  };
  const session = targetOf(resolveSystem(defineSystem({ processes }))).open(1);
  try {
    await session.perform(start('b'));
    await session.perform(start('a'));
    const lines = (): readonly string[] => (session.world.process('a').state as { out: readonly string[] }).out;
    let began: { readonly ms: number; readonly cpu: NodeJS.CpuUsage } | undefined;
    let events = 0;
    while (!lines().includes('done')) {
      const [next] = session.enabled;
      if (next === undefined) await session.wait?.({ ms: 20 });
      else {
        began ??= { ms: performance.now(), cpu: process.cpuUsage() };
        await session.perform(next);
        events += 1;
      }
    }
    const { user, system } = process.cpuUsage(began?.cpu);
    const seconds = (performance.now() - (began?.ms ?? 0)) / 1000;
    return { times: timesIn(lines()), events, seconds, cpuSeconds: (user + system) / 1e6 };
  } finally {
    await session.close();
  }
}

function timesIn(lines: readonly string[]): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const [way = '', microseconds] of lines.map((line) => line.split(' ')))
    if (microseconds !== undefined) times.set(way, [...(times.get(way) ?? []), Number(microseconds)]);
  return times;
}

/** A machine that is busy with something else makes rounds slower, never faster. */
const best = (times: readonly number[] = []): number => Math.min(...times);

/** A question and its answer through the proxy, beside a direct connection, in turns. */
export async function passed(): Promise<Measured[]> {
  const { times } = await ask(['a'], 3_000, ['direct', 'proxy']);
  const direct = best(times.get('direct'));
  const proxy = best(times.get('proxy'));
  return [
    { case: 'passed', metric: 'round trip, direct', value: direct, unit: 'µs' },
    { case: 'passed', metric: 'round trip, proxy', value: proxy, unit: 'µs' },
    { case: 'passed', metric: 'added by the proxy', value: proxy - direct, unit: 'µs' },
  ];
}

/** Frames that are events: each is delivered when its receiver has finished its reaction to the one before. */
export async function held(): Promise<Measured[]> {
  const { events, seconds, cpuSeconds } = await ask([], 100, ['proxy']);
  return [
    { case: 'held', metric: 'messages', value: Math.round(events / seconds), unit: '/s' },
    { case: 'held', metric: 'processor time of culprit', value: (cpuSeconds / events) * 1e6, unit: 'µs a message' },
  ];
}
