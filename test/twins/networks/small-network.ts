import { defineSystem, send, start, type Behavior } from 'culprit';
import { resolveSystem, targetOf, type Session } from 'culprit/kernel';
import type { External } from 'culprit/trace';
import { openflowSwitch, type SwitchMessage, type SwitchOptions, type SwitchState } from 'culprit/networks';

type Told = { readonly say: SwitchMessage } | SwitchMessage;

/** Says to the switch what it is asked to say, and keeps what it gets: it does not answer a hello by itself. */
const partner: Behavior<{ got: SwitchMessage[] }, Told> = {
  start: () => ({ got: [] }),
  receive(state, message, ctx) {
    if ('say' in message) ctx.send('s1', message.say);
    else state.got.push(message);
  },
};

export const hwAddr = (port: number): string => `00:00:5e:00:53:0${port}`;

type Got = Readonly<Record<string, readonly SwitchMessage[]>>;

/** A switch `s1` with two controllers, `c1` and `c2`, and a station `h1`, `h2` and so on at each port. */
export class SmallNetwork {
  private constructor(
    private readonly session: Session,
    private readonly partners: readonly string[],
  ) {}

  static async start(more: Partial<SwitchOptions> = {}, portCount = 3): Promise<SmallNetwork> {
    const numbers = Array.from({ length: portCount }, (_, index) => index + 1);
    const ports = numbers.map((portNo) => ({
      portNo,
      hwAddr: hwAddr(portNo),
      peer: { process: `h${portNo}`, port: 1 },
    }));
    const partners = ['c1', 'c2', ...numbers.map((number) => `h${number}`)];
    const system = defineSystem({
      processes: {
        ...Object.fromEntries(partners.map((name) => [name, partner])),
        s1: openflowSwitch({ datapathId: 7, controllers: ['c1', 'c2'], ports, ...more }),
      },
      timers: { skewMs: 0 },
      // The channel of a controller that crashes is closed.
      transport: { onCrash: { notice: { type: 'closed' } } },
    });
    const network = new SmallNetwork(targetOf(resolveSystem(system)).open(1), partners);
    for (const name of [...partners, 's1']) await network.session.perform(start(name));
    await network.settle();
    return network;
  }

  /** Of the switch. */
  get state(): SwitchState {
    return this.session.world.process('s1').state as SwitchState;
  }

  /** Lets a process send this to the switch. Returns what all processes got then, by their names. */
  async says(name: string, ...messages: readonly SwitchMessage[]): Promise<Got> {
    return this.after(async () => {
      for (const say of messages) {
        await this.session.perform(send(name, { say }));
        await this.settle();
      }
    });
  }

  /** The timer that fires next, and when. */
  get nextTimer(): string | undefined {
    const timer = this.session.enabled.find((event) => event.kind === 'fire');
    return timer && `${timer.timer} at ${timer.deadlineMs}`;
  }

  /** The next timer fires. */
  async fires(): Promise<Got> {
    const timer = this.session.enabled.find(({ kind }) => kind === 'fire');
    if (timer === undefined) throw new Error('no timer is set');
    return this.after(() => this.session.perform(timer));
  }

  /** The environment does something. */
  does(external: External): Promise<Got> {
    return this.after(() => this.session.perform(external));
  }

  /** A frame arrives at a port. */
  arrives(packet: string, port = 1): Promise<Got> {
    return this.says(`h${port}`, { type: 'frame', port, packet });
  }

  /** All that the other processes have got. */
  got(): Got {
    const gotBy = (name: string): SwitchMessage[] =>
      (this.session.world.process(name).state as { got: SwitchMessage[] } | undefined)?.got ?? [];
    return Object.fromEntries(this.partners.map((name) => [name, [...gotBy(name)]]));
  }

  /** What all processes got by this, by their names. */
  private async after(happening: () => void | Promise<void>): Promise<Got> {
    const before = this.got();
    await happening();
    await this.settle();
    return this.gotSince(before);
  }

  private gotSince(before: Got): Got {
    const now = Object.entries(this.got()).map(([name, got]) => [name, got.slice(before[name]?.length)] as const);
    return Object.fromEntries(now.filter(([, got]) => got.length > 0));
  }

  private async settle(): Promise<void> {
    for (;;) {
      const next = this.session.enabled.find(({ kind }) => kind === 'deliver');
      if (next === undefined) return;
      await this.session.perform(next);
      const { failure } = this.session.world;
      if (failure !== undefined) throw new Error(`the switch failed: ${JSON.stringify(failure)}`);
    }
  }
}
