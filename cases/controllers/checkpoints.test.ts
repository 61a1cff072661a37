import { resolveSystem, targetOf, type Session } from 'culprit/kernel';
import type { InsideOptions } from 'culprit/live';
import { controller, defineNetwork, linear, network } from 'culprit/networks';
import { expect, test } from 'vitest';

const inside: InsideOptions = { shim: 'python', sockets: true, checkpoints: true };
const plain = controller(['python3', `${import.meta.dirname}/plain_controller.py`, '$address', '$port', '0.2'], {
  inside,
  view: ({ err }) => ({ log: [...err] }),
});

const typeOf = (event: { readonly message?: unknown }): string | undefined =>
  (event.message as { readonly type?: string } | undefined)?.type;

/** Delivers everything until nothing is left but timers. */
async function settle(session: Session): Promise<void> {
  for (;;) {
    const next = session.enabled.find(({ kind }) => kind === 'deliver');
    if (next === undefined) return;
    await session.perform(next);
  }
}

test('a session proceeds from a checkpoint as often as asked, and does the same each time', async () => {
  const topology = linear(2);
  const resolved = resolveSystem(defineNetwork({ controllers: { c1: plain }, topology }));
  let session = targetOf(resolved).open(1);
  try {
    for (const item of resolved.plan(1).items) if (item.kind === 'start') await session.perform(item);
    await settle(session);
    const { ping } = network(topology, { controllers: ['c1'] });
    const checkpoint = await session.checkpoint?.();
    const results: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      const at = session.world.length;
      await session.perform(ping('h1', 'h2') as never);
      await settle(session);
      results.push([
        session.recording.events.since(at).map((event) => `${event.kind} ${event.process} ${typeOf(event as never)}`),
        session.world.process('c1').state,
      ]);
      const next = await checkpoint?.proceed();
      if (next === undefined) throw new Error('gone');
      session = next;
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  } finally {
    await session.close();
  }
});
