import { recheck, search } from 'culprit';
import { resolveSystem, targetOf } from 'culprit/kernel';
import type { InsideOptions } from 'culprit/live';
import { controller, defineNetwork, linear, noBlackholes } from 'culprit/networks';
import type { Trace } from 'culprit/trace';
import { expect, test } from 'vitest';

const plain = (inside: InsideOptions) =>
  controller(['python3', `${import.meta.dirname}/plain_controller.py`, '$address', '$port', '0.2'], { inside });

const inside = { shim: 'python', sockets: true } as const;

test('a controller with clock, logs, timers and channels through one socket has the blackhole of learning switches, in every replay', async () => {
  const system = defineNetwork({
    controllers: { c1: plain(inside) },
    topology: linear(2),
    migrations: true,
    traffic: (net) => [net.ping('h1', 'h2'), net.migrate('h1', 's2'), net.ping('h2', 'h1')],
    pace: { quietMs: 400 },
    invariants: { blackholes: noBlackholes({ persist: 3 }) },
  });
  const { findings } = await search(system, { executions: 3, control: false });
  const trace = findings[0]?.trace as Trace;
  expect(trace.verdict).toMatchObject({ verdict: 'violated' });
  expect(await recheck(system, trace, { replays: 2 })).toMatchObject({ reproduced: 2, replays: 2 });
});

test('what the controller sends to several switches arrives in the order in which it sends it', async () => {
  const resolved = resolveSystem(defineNetwork({ controllers: { c1: plain(inside) }, topology: linear(6) }));
  const session = targetOf(resolved).open(1);
  try {
    for (const item of resolved.plan(1).items) if (item.kind === 'start') await session.perform(item);
    const connected = (): number => session.recording.events.since(0).filter(isFeaturesReply).length;
    const echoes = () => session.world.pending.flatMap((event) => (isEchoRequest(event) ? [event] : []));
    while (connected() < 6 || echoes().length === 0) {
      const next = session.enabled.find((event) => !isEchoRequest(event));
      // Echoes before all switches are there are of no interest.
      if (next?.kind === 'fire' && connected() === 6) for (const early of echoes()) await session.perform(early);
      if (next === undefined) await session.wait?.({ ms: 10_000 });
      else await session.perform(next);
    }
    const order = echoes().toSorted((one, other) => one.sentMs - other.sentMs);
    expect(order.map(({ process }) => process)).toEqual(['s6', 's5', 's4', 's3', 's2', 's1']);
  } finally {
    await session.close();
  }
});

interface Message {
  readonly kind: string;
  readonly message?: unknown;
}

const typeOf = ({ message }: Message): unknown => (message as { readonly type?: string } | undefined)?.type;

const isFeaturesReply = (event: Message): boolean => typeOf(event) === 'features_reply';

const isEchoRequest = <E extends Message>(event: E): event is E & { readonly kind: 'deliver' } =>
  event.kind === 'deliver' && typeOf(event) === 'echo_request';
