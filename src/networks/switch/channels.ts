import type { Message } from '../openflow/messages.ts';
import type { ControlChannel, Sender, SwitchContext, SwitchOptions, SwitchState } from './switch-state.ts';

/** How long a switch waits for the answer to its hello: the first and the longest time. Each is twice the one before. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 16_000;
/** From this try on, it waits for the longest time. */
const LAST_TRY = 5;

/** The first connection of a switch that has not been restarted. Nothing older can be in flight. */
const FIRST = 1;
/** The connections of a switch that was restarted have numbers that its earlier ones did not have. */
const PER_RESTART = 65_536;

/**
 * The channels of a switch to its controllers. A channel is open when the controller has answered the hello: an answer has the number
 * of the hello, so messages of an earlier connection, which may still be in flight, are told apart. The first connection is open at once.
 */
export class ControlChannels {
  constructor(
    private readonly options: SwitchOptions,
    private readonly state: SwitchState,
    private readonly ctx: SwitchContext,
  ) {}

  /** The switch has started. */
  begin(): void {
    const number = this.ctx.restarts * PER_RESTART + FIRST;
    for (const controller of this.options.controllers) {
      const fresh: ControlChannel = { number, status: 'closed', tries: 0, awaitsEcho: false, incomplete: '' };
      this.state.channels[controller] = fresh;
      this.connect(controller, fresh);
    }
  }

  /** The channel of a controller; undefined for another process, which may send messages, too. */
  of(controller: string): ControlChannel | undefined {
    return Object.hasOwn(this.state.channels, controller) ? this.state.channels[controller] : undefined;
  }

  /** Whether some channel is open. */
  get areSomeOpen(): boolean {
    return this.options.controllers.some((controller) => this.isOpen(controller));
  }

  isOpen(controller: string): boolean {
    const channel = this.of(controller);
    return channel === undefined || channel.status === 'connected' || isFirst(channel);
  }

  /** The same message to all controllers. */
  tellAll(message: Message): void {
    for (const controller of this.options.controllers) {
      if (this.isOpen(controller)) this.ctx.send(controller, message);
    }
  }

  senderOf(controller: string): Sender {
    return { controller, connection: this.of(controller)?.number ?? 0 };
  }

  /** Answers a message, unless its connection is over. */
  answer({ controller, connection }: Sender, answers: readonly Message[]): void {
    if (!this.isOpen(controller) || this.senderOf(controller).connection !== connection) return;
    for (const answer of answers) this.ctx.send(controller, answer);
  }

  /** Whether a hello with this number belongs to the connection that the switch wants. */
  isAnswer(controller: string, xid: number): boolean {
    const channel = this.of(controller);
    return channel?.status === 'connecting' && (channel.number === FIRST || channel.number === xid);
  }

  /** The controller has answered the hello. */
  becomeConnected(controller: string): void {
    const channel = this.of(controller);
    if (channel === undefined) return;
    channel.status = 'connected';
    channel.tries = 0;
    this.ctx.cancelTimer(`connect ${controller}`);
    this.awaitSilence(controller);
  }

  /** The hello was not answered in time: tries again, with the same number, since at most one of them makes a connection. */
  retry(controller: string): void {
    const channel = this.of(controller);
    if (channel?.status === 'connecting') this.connect(controller, channel);
  }

  heardFrom(controller: string): void {
    const channel = this.of(controller);
    if (channel !== undefined) channel.awaitsEcho = false;
  }

  /** Nothing was heard from a controller for a while, perhaps. */
  checkEcho(controller: string): void {
    const channel = this.of(controller);
    if (channel === undefined || !this.isOpen(controller)) return;
    if (channel.awaitsEcho) {
      this.reset(controller);
      return;
    }
    channel.awaitsEcho = true;
    this.ctx.send(controller, { type: 'echo_request', xid: 0, data: '' });
    this.awaitSilence(controller);
  }

  /** The other side has closed a channel: the switch connects again. */
  takeClosed(controller: string): void {
    const channel = this.of(controller);
    if (channel === undefined || !this.isOpen(controller)) return;
    this.end(controller, channel);
    this.connect(controller, channel);
  }

  /** Closes channels, and connects again at once. */
  reset(only?: string): void {
    for (const [controller, channel] of this.all(only)) {
      if (channel.status === 'closed') continue;
      this.close(controller, channel);
      this.connect(controller, channel);
    }
  }

  /** Closes a channel after bytes that cannot be read, and connects again later: at once, the same could happen forever. */
  breakOff(controller: string, reason: string): void {
    const channel = this.of(controller);
    if (channel === undefined) return;
    this.ctx.log(`channel to ${controller} is broken: ${reason}`);
    this.close(controller, channel);
    channel.status = 'connecting';
    this.awaitAnswer(controller, channel);
  }

  /** The control failure of a switch begins or ends. */
  setControl(isDown: boolean): void {
    if (this.state.isControlDown === isDown) return;
    this.state.isControlDown = isDown;
    for (const [controller, channel] of this.all()) {
      if (isDown) this.close(controller, channel);
      else this.connect(controller, channel);
    }
  }

  private all(only?: string): [string, ControlChannel][] {
    return Object.entries(this.state.channels).filter(([controller]) => only === undefined || controller === only);
  }

  private connect(controller: string, channel: ControlChannel): void {
    channel.status = 'connecting';
    this.ctx.send(controller, { type: 'hello', xid: channel.number, version: 1, elements: '' });
    if (channel.number === FIRST) this.awaitSilence(controller);
    else this.awaitAnswer(controller, channel);
  }

  private awaitAnswer(controller: string, channel: ControlChannel): void {
    const { connectTries = Infinity } = this.options;
    if (channel.tries < (connectTries === Infinity ? LAST_TRY : connectTries)) channel.tries++;
    if (channel.tries >= connectTries) return;
    const waitMs = FIRST_RETRY_MS * 2 ** (channel.tries - 1);
    this.ctx.setTimer(`connect ${controller}`, Math.min(waitMs, LAST_RETRY_MS));
  }

  private awaitSilence(controller: string): void {
    if (this.options.echoMs !== undefined) this.ctx.setTimer(`echo ${controller}`, this.options.echoMs);
  }

  private close(controller: string, channel: ControlChannel): void {
    if (this.isOpen(controller)) this.ctx.send(controller, { type: 'closed' });
    this.end(controller, channel);
  }

  /** Messages that wait for a barrier are part of the connection, and flow_mods before it are not. */
  private end(controller: string, channel: ControlChannel): void {
    channel.number++;
    channel.status = 'closed';
    channel.tries = 0;
    channel.awaitsEcho = false;
    channel.incomplete = '';
    this.ctx.cancelTimer(`connect ${controller}`);
    this.ctx.cancelTimer(`echo ${controller}`);
    const { behindBarriers } = this.state;
    const left = behindBarriers.filter((one) => one.controller !== controller);
    behindBarriers.splice(0, behindBarriers.length, ...left);
  }
}

const isFirst = ({ number, status }: ControlChannel): boolean => number === FIRST && status === 'connecting';
