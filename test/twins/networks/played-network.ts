import { behavior, send } from 'culprit';
import { resolveSystem, targetOf, type Session } from 'culprit/kernel';
import {
  defineNetwork,
  flowMod,
  linear,
  network,
  receivedBy,
  type Action,
  type Match,
  type Network,
  type NetworkMessage,
  type NetworkOptions,
  type Port,
  type Topology,
} from 'culprit/networks';
import type { External, Internal } from 'culprit/trace';

/** Keeps the reports on ports that it gets. */
export const controller = behavior<{ heard: string[] }, NetworkMessage>({
  start: () => ({ heard: [] }),
  receive(state, message, ctx) {
    if (message.type === 'hello') ctx.send(ctx.from, message);
    if (message.type === 'port_status')
      state.heard.push(`${ctx.from}.${message.desc.portNo} ${message.reason} ${message.desc.state.join() || 'up'}`);
  },
});

/** A network in which tests play the controller. */
export class Played {
  private constructor(
    readonly session: Session,
    readonly net: Network,
  ) {}

  static async of(topology: Topology, options: Omit<NetworkOptions, 'controllers'> = {}, faults = {}): Promise<Played> {
    const system = defineNetwork({ topology, controllers: { c1: controller }, ...options, faults });
    const resolved = resolveSystem(system);
    const session = targetOf(resolved).open(1);
    for (const item of resolved.plan(1).items) await session.perform(item as External);
    const played = new Played(session, network(topology, { ...options, controllers: ['c1'] }));
    await played.quiet();
    return played;
  }

  /** Performs externals, each with all events that follow. */
  async does(...externals: readonly External[]): Promise<this> {
    for (const external of externals) {
      await this.session.perform(external);
      await this.quiet();
    }
    return this;
  }

  async quiet(): Promise<this> {
    for (let [next] = this.session.enabled; next !== undefined; [next] = this.session.enabled)
      await this.session.perform(next);
    return this;
  }

  /** Puts an entry into the table of a switch. */
  entry(name: string, match: Match, ...ports: readonly Port[]): Promise<this> {
    const actions = ports.map((port): Action => ({ type: 'output', port, maxLen: 0 }));
    return this.does(send(name, flowMod({ xid: 1, match, priority: 1, actions })));
  }

  received(station: string): number {
    return receivedBy(this.session.world, station).frames;
  }

  get heard(): string[] {
    return (this.session.world.process('c1').state as { heard: string[] }).heard;
  }

  get frames(): Internal[] {
    return this.session.world.pending.filter((event) => event.kind === 'deliver' && event.lane !== undefined);
  }
}

/** Two switches that send everything from their station over the link, and everything else to their station. */
export async function pipe(options: Omit<NetworkOptions, 'controllers'> = {}, faults = {}): Promise<Played> {
  const played = await Played.of(linear(2), options, faults);
  for (const name of ['s1', 's2']) {
    await played.entry(name, { inPort: 2 }, 1);
    await played.entry(name, { inPort: 1 }, 2);
  }
  return played;
}
