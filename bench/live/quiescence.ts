import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { behavior, defineSystem, send, start } from 'culprit';
import { Random, resolveSystem, targetOf, type Session } from 'culprit/kernel';
import { command, stdio, type CommandBehavior } from 'culprit/live';
import type { Measured } from '../row.ts';
import { isInstalled, runtimes, type Runtime } from './runtimes.ts';

const MESSAGES = 150;
const SEED = 18;
/** A node gets this long to do the work that culprit did not wait for. */
const LATE_MS = 60_000;

/**
 * Delivers messages to nodes in several runtimes, and compares what culprit thinks (the program is quiet) with the log of the program:
 * how many messages it has finished. Wrong guesses are printed one by one. Exits with 1 if there is one.
 */
export async function* quiescence(): AsyncGenerator<Measured> {
  console.error(`load ${loadavg().map(Math.round).join(' ')}, ${MESSAGES} messages with 0 to 3 answers, seed ${SEED}`);
  for (const runtime of runtimes) {
    if (isInstalled(runtime)) yield* measured(runtime);
    else
      console.error(
        `not measured: ${runtime.title}. There is no ${runtime.program}; install it: sudo apt-get install ${runtime.debian}`,
      );
  }
}

async function* measured(runtime: Runtime): AsyncGenerator<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-quiescence-'));
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const words = runtime.words(folder);
  const watched = await WatchedNode.start(runtime.title, [...words, log], log);
  try {
    const random = Random.seeded(0, SEED);
    const works = Array.from({ length: MESSAGES }, () =>
      Array.from({ length: random.below(4) }, () => random.below(21) / 10),
    );
    const busy = await watched.deliverAll(works);
    const idle = await watched.deliverAll(Array.from({ length: MESSAGES }, () => []));
    const row = (metric: string, value: number, unit: string, target?: string): Measured => ({
      case: runtime.title,
      metric,
      value,
      unit,
      ...(target === undefined ? {} : { target }),
    });
    const wrong = busy.wrong + idle.wrong;
    const all = `of ${2 * MESSAGES}`;
    if (watched.isLookedAt) {
      if (wrong > 0) process.exitCode = 1;
      yield row('wrong guesses', wrong, all, '0');
      yield row('waited for in vain', watched.late, all);
    } else yield row('wrong guesses by settle time', wrong, all);
    yield row('with work', MESSAGES / busy.seconds, 'messages/s');
    yield row('without work', MESSAGES / idle.seconds, 'messages/s');
    yield row('CPU of culprit, with work', busy.cpuMs / MESSAGES, 'ms/message');
    yield row('CPU of culprit, without work', idle.cpuMs / MESSAGES, 'ms/message');
  } finally {
    await watched.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Deliveries {
  readonly wrong: number;
  readonly seconds: number;
  readonly cpuMs: number;
}

const peer = behavior<{ got: number }, unknown>({
  start: () => ({ got: 0 }),
  receive: (state) => void (state.got += 1),
});

/** A node with a peer that takes its answers. */
class WatchedNode {
  private delivered = 0;

  private constructor(
    private readonly title: string,
    private readonly node: CommandBehavior<object>,
    private readonly session: Session,
    private readonly log: string,
  ) {}

  static async start(title: string, words: readonly string[], log: string): Promise<WatchedNode> {
    const node = command(words, { connect: stdio(), ready: { log: /^pid \d+$/ }, readyMs: 60_000 });
    const session = targetOf(resolveSystem(defineSystem({ processes: { node, peer } }))).open(1);
    await session.perform(start('peer'));
    await session.perform(start('node'));
    const { facts } = node.host.reactions;
    if (facts.by !== 'looks') console.error(`${title}: not looked at: ${JSON.stringify(facts)}`);
    return new WatchedNode(title, node, session, log);
  }

  get isLookedAt(): boolean {
    return this.node.host.reactions.facts.by === 'looks';
  }

  /** Reactions that took longer than culprit waits. */
  get late(): number {
    const { facts } = this.node.host.reactions;
    return facts.by === 'looks' ? facts.late : 0;
  }

  async deliverAll(works: readonly (readonly number[])[]): Promise<Deliveries> {
    let [wrong, wallMs] = [0, 0];
    const cpu = { user: 0, system: 0 };
    for (const work of works) {
      await this.session.perform(send('node', { work }));
      const [beforeMs, beforeCpu, late] = [performance.now(), process.cpuUsage(), this.late];
      await this.session.perform(this.session.enabled.find(({ process: to }) => to === 'node') as never);
      wallMs += performance.now() - beforeMs;
      const { user, system } = process.cpuUsage(beforeCpu);
      [cpu.user, cpu.system] = [cpu.user + user, cpu.system + system];
      this.delivered += 1;
      if (!(await this.isRight(work, this.late > late))) wrong += 1;
    }
    return { wrong, seconds: wallMs / 1000, cpuMs: (cpu.user + cpu.system) / 1000 };
  }

  /** The answers that wait for the peer. */
  private get answers(): number {
    return this.session.world.pending.length;
  }

  /** Whether the node has done its work, and all its answers have arrived. */
  private async isRight(work: readonly number[], isLate: boolean): Promise<boolean> {
    const [done, answers] = [statSync(this.log).size, this.answers];
    const isRight = done === this.delivered && answers === work.length;
    if (!isRight) {
      const sinceMs = performance.now();
      while (statSync(this.log).size < this.delivered && performance.now() - sinceMs < LATE_MS) await delay(1);
      const why = isLate
        ? 'culprit stopped waiting'
        : `the program was thought to be quiet by ${this.node.host.reactions.facts.by}`;
      const left = `${answers} of ${work.length} answers, ${this.delivered - done} messages not finished`;
      const tookMs = Math.round(performance.now() - sinceMs);
      console.error(`${this.title}, message ${this.delivered}: ${why}: ${left}, ${tookMs} ms more. ${this.threads()}`);
    }
    if (this.answers < work.length) await this.session.wait?.({ ms: LATE_MS });
    while (this.session.enabled.length > 0) await this.session.perform(this.session.enabled[0] as never);
    return isRight || isLate;
  }

  private threads(): string {
    return `Its reactions: ${JSON.stringify(this.node.host.reactions.facts)}; load ${readFileSync('/proc/loadavg', 'utf8').trim()}`;
  }

  async close(): Promise<void> {
    await this.session.close();
  }
}
