import type { Context } from 'culprit';
import { crash, cut, heal, restart, send, start, stop } from 'culprit';
import type { AnyBehavior, Declaration, Random, Session, Timing, Transport } from 'culprit/kernel';
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
}

/** A system of many processes that do something of everything, decided by each process's own random numbers. */
export const crowd = ({ timers, transport, awaits }: CrowdOptions): Declaration => ({
  processes: new Map(names.map((name, at) => [name, member(awaits && at % 3 > 0, at % 3 === 2)])),
  kinds: new Map([['worker', () => member(awaits, false)]]),
  actions: new Map(),
  transport,
  timers,
  faults: { crashes: 1e6, restarts: 1e6, partitions: 1e6, losses: 1e6, duplicates: 1e6 },
});

function member(awaits: boolean, blocking: boolean): AnyBehavior {
  const handle = (ctx: Context<unknown>): void | Promise<void> => {
    act(ctx);
    return awaits && ctx.random.below(3) === 0 ? linger(ctx) : undefined;
  };
  return {
    blocking,
    start(ctx) {
      for (let left = 4; left > 0; left--) ctx.send(ctx.random.pick(names), 0);
      ctx.setTimer('t', 1 + ctx.random.below(20));
      return awaits && ctx.random.below(2) === 0 ? linger(ctx).then(() => ({})) : {};
    },
    receive: (_state, _message, ctx) => handle(ctx),
    timer: (_state, _timer, ctx) => handle(ctx),
    wrote: (_state, _key, ctx) => handle(ctx),
    returned: (_state, _message, _to, ctx) => handle(ctx),
  };
}

/** A few things at once; now and then the last one is an exception. */
function act(ctx: Context<unknown>): void {
  const { random } = ctx;
  const deeds = [
    () => ctx.send(random.pick(names), 0),
    () => ctx.send(random.pick(names), 0),
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

async function linger(ctx: Context<unknown>): Promise<void> {
  const { random } = ctx;
  const waits = [
    () => ctx.sleep(random.below(20)),
    () => ctx.disk.read(random.pick(KEYS)),
    () => ctx.ask(random.pick(names), 0).then(undefined, () => {}),
    () => ctx.ask(random.pick(names), 0, 5).then(undefined, () => {}),
  ];
  await random.pick(waits)();
  act(ctx);
}

export const crowdStarts: readonly External[] = names.map((name) => start(name));

/** Mostly an enabled event, sometimes an external one. */
export function nextInCrowd(session: Session, random: Random): Internal | External {
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
  const external = random.pick(externals);
  return session.refusal(external) === undefined ? external : send(other, 0);
}
