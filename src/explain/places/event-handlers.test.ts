import { expect, test } from 'vitest';
import { handlersOf } from './event-handlers.ts';
import { crash, restart, send, start } from '../../system/externals.ts';
import { mayBeAwaited } from '../../kernel/handler-calls.ts';
import { record } from '../../execution/record.ts';
import { originOf } from '../../replay/replay.ts';
import { search } from 'culprit';
import { behavior, defineSystem } from '../../system/define-system.ts';
import type { Trace } from '../../trace/format.ts';
import { eventOf } from '../../trace/codec.ts';

type Message = { type: 'write' | 'await' | 'both' | 'ask' | 'ask idly' | 'question' | 'answer' };

/** The handlers whose code has run since this was last emptied, as they say it themselves. */
const ran: string[] = [];

/** Does everything that completes later, awaited and not. Every stretch of code says whose it is. */
const busy = behavior<{ n: number }, Message>({
  async start(ctx) {
    ran.push('start');
    await ctx.disk.write('began', true);
    ran.push('start');
    ctx.setTimer('tick', 1);
    return { n: 0 };
  },
  async receive(state, { type }, ctx) {
    ran.push('receive');
    state.n += 1;
    if (type === 'write') ctx.disk.write('idle', state.n);
    if (type === 'question' && ctx.random.below(4) > 0) ctx.reply({ type: 'answer' });
    if (type === 'ask idly') ctx.ask(ctx.random.pick(['gone', 'other', 'later']), { type: 'question' });
    if (type === 'both') {
      const written = ctx.disk.write('both', state.n);
      await ctx.sleep(1);
      ran.push('receive');
      await written;
      ran.push('receive');
    }
    if (type === 'await') {
      await ctx.disk.write('awaited', state.n);
      ran.push('receive');
      await ctx.disk.read('awaited');
      ran.push('receive');
    }
    if (type !== 'ask') return;
    try {
      await ctx.ask(ctx.random.pick(['gone', 'other']), { type: 'question' }, 1);
    } finally {
      ran.push('receive');
    }
  },
  async timer(_state, _timer, ctx) {
    ran.push('timer');
    ctx.spawn('helper');
    await ctx.sleep(1);
    ran.push('timer');
  },
  wrote() {
    ran.push('wrote');
  },
  async returned(_state, _message, _to, ctx) {
    ran.push('returned');
    await ctx.disk.write('returned', 1);
    ran.push('returned');
  },
});

const caught = behavior<{ n: number }, Message>({
  ...busy,
  async receive(state, message, ctx) {
    try {
      await busy.receive(state, message, ctx);
    } catch {
      ran.push('receive');
    }
  },
});

const types: Message['type'][] = ['write', 'await', 'both', 'ask', 'ask idly'];
const EVENTS = 70;
const system = defineSystem({
  processes: { one: caught, other: caught, gone: busy },
  kinds: { helper: () => busy },
  transport: { order: 'unordered', toAbsent: 'return' },
  faults: { duplicates: 2, losses: 1 },
  workload: [
    crash('gone'),
    ...[...types, ...types].flatMap((type) => [send('one', { type }), send('other', { type })]),
    crash('other'),
    restart('other'),
    start('later', 'helper'),
  ],
  invariants: { short: (world) => world.length < EVENTS },
});

async function traceOf(seed: number): Promise<Trace> {
  const { findings } = await search(system, { seed, executions: 1 });
  return (findings[0] as (typeof findings)[number]).trace;
}

/** For each event, the handlers whose code ran in it. */
async function seenIn(trace: Trace): Promise<string[][]> {
  const seen: string[][] = [];
  ran.length = 0;
  await record(originOf(system, trace), trace.events.map(eventOf), {
    line: () => void seen.push([...new Set(ran.splice(0))]),
  });
  return seen;
}

test('names the handler whose code runs in each event, whether it is called or resumed', async () => {
  const met = new Set<string>();
  for (let seed = 0; seed < 6; seed++) {
    const trace = await traceOf(seed);
    const seen = await seenIn(trace);
    const { names, problem } = await handlersOf(originOf(system, trace), trace.events.map(eventOf));
    expect(problem).toBeUndefined();
    for (const [at, line] of trace.events.entries()) {
      const [name, those] = [names[at], seen[at] ?? []];
      // A handler may have asked for it and await something else first: then no code runs.
      const isIdle = those.length === 0 && (name === undefined || mayBeAwaited(eventOf(line)));
      expect(isIdle ? [] : [name], `seed ${seed}, event ${line.event}: ${line.kind}`).toEqual(those);
      met.add(`${line.kind} ${'operation' in line ? line.operation : 'reply' in line ? 'reply' : ''} ${those.join()}`);
    }
  }
  expect([...met].filter((one) => /^(complete|deliver|return)/.test(one)).sort()).toEqual([
    'complete read receive',
    'complete sleep receive',
    'complete sleep timer',
    'complete timeout receive',
    'complete write ',
    'complete write receive',
    'complete write returned',
    'complete write start',
    'complete write wrote',
    'deliver  receive',
    'deliver reply ',
    'deliver reply receive',
    'return  receive',
    'return  returned',
  ]);
});

test('of a system that has changed, it says why nothing is known of what a handler may have awaited', async () => {
  const trace = await traceOf(0);
  const { events } = trace;
  const changed = defineSystem({ processes: { one: busy } });
  const { names, problem } = await handlersOf(originOf(changed, trace), events.map(eventOf));
  expect(problem?.message).toMatch(/^event \d+: the recording has /);
  expect(names.map((name, at) => `${events[at]?.kind} ${name}`)).toContain('fire timer');
  expect(names.filter((name, at) => events[at]?.kind === 'complete' && name !== undefined)).toEqual([]);
});
