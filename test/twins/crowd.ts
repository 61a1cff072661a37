import type { Context } from 'culprit';
import { crash, cut, heal, pause, restart, resume, send, start, stop } from 'culprit';
import type { AnyBehavior, Declaration, DeclaredLink, Random, Session, Timing, Transport } from 'culprit/kernel';
import { hex, type External, type Internal } from 'culprit/trace';

/** So many that the channels between them are many more than the kernel looks through each time. */
const CROWD = 24;

const TIMERS = ['t', 'u'];
const KEYS = ['k', 'l'];
const names = Array.from({ length: CROWD }, (_, at) => `p${at}`);

export interface CrowdOptions {
  readonly timers: Timing;
  readonly transport: Transport;
  /** Whether some handlers await, and some of their processes take no messages meanwhile. */
  readonly awaits: boolean;
  /** Whether messages use lanes, links have rules of their own, and messages are held back. */
  readonly lanes?: boolean;
}

/** A system of many processes that do something of everything, decided by each process's own random numbers. */
export const crowd = ({ timers, transport, awaits, lanes = false }: CrowdOptions): Declaration => ({
  processes: new Map(names.map((name, at) => [name, member(awaits && at % 3 > 0, at % 3 === 2, lanes)])),
  kinds: new Map([['worker', () => member(awaits, false, lanes)]]),
  ...(lanes ? { links } : {}),
  actions: new Map(),
  transport,
  timers,
  faults: { crashes: 1e6, restarts: 1e6, partitions: 1e6, losses: 1e6, duplicates: 1e6, holds: 1e6, pauses: 1e6 },
});

/** Some links, and some of their lanes, have another order or lose messages when they are cut. */
const links: readonly DeclaredLink[] = names.slice(1).flatMap((name, at): DeclaredLink[] => [
  { between: ['p0', name], order: at % 2 === 0 ? 'fifo' : 'unordered' },
  { between: ['p0', name], lane: 'fast', onCut: at % 3 === 0 ? 'drop' : 'hold', order: 'fifo' },
]);

function member(awaits: boolean, blocking: boolean, lanes: boolean): AnyBehavior {
  const handle = (ctx: Context<unknown>): void | Promise<void> => {
    act(ctx, lanes);
    return awaits && ctx.random.below(3) === 0 ? linger(ctx, lanes) : undefined;
  };
  return {
    blocking,
    start(ctx) {
      for (let left = 4; left > 0; left--) sendOn(ctx, lanes);
      ctx.setTimer('t', 1 + ctx.random.below(20));
      return awaits && ctx.random.below(2) === 0 ? linger(ctx, lanes).then(() => ({})) : {};
    },
    receive: (_state, _message, ctx) => handle(ctx),
    timer: (_state, _timer, ctx) => handle(ctx),
    wrote: (_state, _key, ctx) => handle(ctx),
    returned: (_state, _message, _to, ctx) => handle(ctx),
  };
}

/** A few things at once; now and then the last one is an exception. */
function act(ctx: Context<unknown>, lanes: boolean): void {
  const { random } = ctx;
  const deeds = [
    () => sendOn(ctx, lanes),
    () => sendOn(ctx, lanes),
    () => ctx.send('p0/worker-1', 0),
    () => ctx.reply(0),
    () => ctx.ask(random.pick(names), 0),
    () => ctx.ask(random.pick(names), 0, 1 + random.below(20)),
    () => ctx.setTimer(random.pick(TIMERS), 1 + random.below(20)),
    () => ctx.repeatTimer(random.pick(TIMERS), 1 + random.below(20)),
    () => ctx.cancelTimer(random.pick(TIMERS)),
    () => ctx.disk.write(random.pick(KEYS), 1),
    () => ctx.disk.read(random.pick(KEYS)),
    () => random.below(4) === 0 && ctx.spawn('worker'),
  ];
  for (let left = 1 + random.below(3); left > 0; left--) random.pick(deeds)();
  if (random.below(100) === 0) throw new Error('boom');
}

function sendOn(ctx: Context<unknown>, lanes: boolean): void {
  const to = ctx.random.pick(names);
  ctx.send(to, 0, lanes ? { lane: ctx.random.pick([undefined, 'fast', 'slow']) } : undefined);
}

async function linger(ctx: Context<unknown>, lanes: boolean): Promise<void> {
  const { random } = ctx;
  const waits = [
    () => ctx.sleep(random.below(20)),
    () => ctx.disk.read(random.pick(KEYS)),
    () => ctx.ask(random.pick(names), 0).then(undefined, () => {}),
    () => ctx.ask(random.pick(names), 0, 5).then(undefined, () => {}),
  ];
  await random.pick(waits)();
  act(ctx, lanes);
}

export const crowdStarts: readonly External[] = names.map((name) => start(name));

/** Mostly an enabled event, sometimes an external one. */
export function nextInCrowd(
  session: Session,
  random: Random,
  { lanes = false, pauses = false } = {},
): Internal | External {
  const { enabled, world } = session;
  if (enabled.length > 0 && random.below(8) > 0) return random.pick(enabled);
  const [one, other] = [random.pick(names), random.pick(names)];
  const messages = world.pending.filter(({ kind }) => kind === 'deliver').map(hex);
  const target = messages[random.below(Math.max(1, messages.length))];
  const externals: External[] = [
    send(one, 0),
    crash(one),
    restart(one),
    stop(other),
    restart(other),
    cut(one, other),
    heal(),
    ...(target === undefined ? [] : [{ kind: 'lose', target } as const, { kind: 'duplicate', target } as const]),
  ];
  if (lanes) externals.push(...laneExternals(session, random, [one, other], target));
  if (pauses) externals.push(pause(one), resume(one), resume(other));
  const external = random.pick(externals);
  return session.refusal(external) === undefined ? external : send(other, 0);
}

function laneExternals(
  { enabled }: Session,
  random: Random,
  [one, other]: readonly [string, string],
  target: string | undefined,
): External[] {
  const of = { lane: random.pick(['fast', 'slow']) };
  const until = enabled.length === 0 ? undefined : hex(random.pick(enabled));
  return [
    cut(one, other, of),
    cut('p0', other, of),
    heal(one, other, of),
    ...(target === undefined || until === undefined ? [] : [{ kind: 'hold', target, until } as const]),
    ...(target === undefined || until === undefined ? [] : [{ kind: 'hold', target, until } as const]),
  ];
}
