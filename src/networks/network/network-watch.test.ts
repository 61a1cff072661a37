import { describe, expect, test } from 'vitest';
import { Random } from '../../kernel/data/random.ts';
import { targetOf } from '../../hosts/target.ts';
import type { Session } from '../../kernel/ports.ts';
import { resolveSystem } from '../../system/resolve.ts';
import { isInternal } from '../../trace/event.ts';
import { controllerBehavior } from '../controller/controller-behavior.ts';
import { output } from '../controller/packet-outs.ts';
import { noBlackholes } from '../invariants/no-loops.ts';
import { ring } from '../topology/line.ts';
import { defineNetwork } from './define-network.ts';
import { networkStateOf } from './network-state-of.ts';
import { NetworkWatch } from './network-watch.ts';

/** Learns ports, and makes mistakes: it never forgets them. */
const learner = controllerBehavior<{ ports: Record<string, number> }>({
  start: () => ({ ports: {} }),
  packetIn({ ports }, packet, from) {
    const { inPort, frame } = packet;
    ports[`${from.name} ${frame.dlSrc}`] = inPort;
    const port = ports[`${from.name} ${frame.dlDst}`];
    if (port === undefined) from.sendPacket(packet, [output('flood')]);
    else from.addFlow({ match: { dlDst: frame.dlDst }, actions: [output(port)], idleTimeout: 5, packet });
  },
  portStatus: (_state, { desc }, from) => from.deleteFlows({ outPort: desc.portNo }),
});

const system = defineNetwork({
  topology: ring(4),
  controllers: { c1: learner },
  migrations: 'announced',
  switches: { connectTries: 3 },
  traffic: (net) => [net.random(30, { pings: 3, migrations: 1 })],
  faults: { crashes: 2, restarts: 2, partitions: 3, losses: 1 },
});

/** An execution with faults: the state after every event. */
async function execute(seed: number, look: (session: Session, isFork: boolean) => void): Promise<void> {
  const resolved = resolveSystem(system);
  const { items } = resolved.plan(seed);
  const random = Random.seeded(seed, seed);
  let session = targetOf(resolved).open(seed);
  const waiting = items.filter((item) => 'kind' in item);
  for (let nth = 0; nth < 250; nth++) {
    const faults = random.below(12) === 0 ? session.faults() : [];
    const external = nth < 5 || random.below(5) === 0 ? waiting[0] : undefined;
    const event =
      external ?? faults[random.below(faults.length)] ?? session.enabled[random.below(session.enabled.length)];
    if (event === undefined || !('kind' in event)) break;
    if (event === external) waiting.shift();
    if (!isInternal(event as never) && session.refusal(event as never) !== undefined) continue;
    await session.perform(event as never);
    const isForked = random.below(10) === 0;
    if (isForked) session = session.fork?.() ?? session;
    look(session, isForked);
  }
}

describe.each([1, 2, 3, 4, 5, 6])('seed %i', (seed) => {
  test('the state that is kept is the one that the world has', async () => {
    let [events, kept] = [0, 0];
    let before = networkStateOf(targetOf(resolveSystem(system)).open(seed).world);
    await execute(seed, (session, isFork) => {
      const state = NetworkWatch.of(session).stateOf(session.world);
      expect(state).toEqual(networkStateOf(session.world));
      events += isFork ? 0 : state.switches.length;
      kept += state.switches.filter((view) => before.switches.includes(view)).length;
      before = state;
    });
    // Most events leave most views as they are.
    expect(kept / events).toBeGreaterThan(0.5);
  });

  test('an oracle of one execution says of each world what one of any world says', async () => {
    const [oracle, running] = [noBlackholes(), new WeakMap<Session, ReturnType<typeof noBlackholes>>()];
    const verdicts = new Set<string>();
    await execute(seed, (session) => {
      const one = running.get(session) ?? oracle.begin?.(session) ?? oracle;
      running.set(session, one);
      const [kept, fresh] = [one, oracle].map((each) => each.judge(session.world, session.world.last));
      const signature = (verdict: typeof kept): string | undefined =>
        verdict?.kind === 'violated' ? verdict.fingerprint : verdict?.kind;
      expect(signature(kept)).toBe(signature(fresh));
      verdicts.add(kept?.kind ?? '');
    });
    expect(verdicts).toContain('holds');
  });
});
