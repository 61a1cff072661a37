import type { Socket } from 'node:net';
import type { MultiplexedSocket } from '../../hosts/live/inside/multiplexed-socket.ts';
import { reset } from '../../hosts/live/tcp/connection-end.ts';
import { Decoder } from '../openflow/decoder.ts';
import type { Message } from '../openflow/messages.ts';
import { openflow10 } from '../openflow/openflow10.ts';
import type { Received } from '../openflow/protocol.ts';

/** How many messages of a connection may be in flight: a controller that sends more has to wait, as for a slow switch. */
const IN_FLIGHT = 1_000;

interface Listeners {
  /** A message of the controller, or one that the switch has to refuse. */
  received(received: Received<Message>): void;
  /** The controller has closed the connection, or it broke; with the bytes of a message that is not complete. */
  closed(how: 'closes' | 'breaks', unfinishedBytes: number): void;
  /** So many messages are in flight that the controller has to wait. */
  paused(): void;
}

/** A connection of a switch to its controller: over TCP, or through the one socket of the controller. */
export class ControlConnection {
  private readonly decoder = new Decoder(openflow10);
  /** At most so many messages are in flight. */
  private inFlightMax = 0;
  private heard: () => void = () => undefined;
  /** Resolves when something has been heard from the controller. */
  readonly hasHeard = new Promise<void>((resolve) => {
    this.heard = resolve;
  });

  constructor(
    private readonly socket: Socket | MultiplexedSocket,
    /** The number of the connection, in the hello of the switch. */
    readonly number: number,
    readonly openedMs: number,
    private readonly listeners: Listeners,
  ) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('end', () => this.over('closes'));
    socket.on('error', () => this.over('breaks'));
  }

  /**
   * By which number it continues at the one socket of a copy of the controller; undefined if it cannot: it has a socket of its own, is
   * closed, has a part of a message, or the controller has to wait.
   */
  get continuesAs(): number | undefined {
    const isWhole = this.isOpen && this.decoder.incomplete === 0 && !this.socket.isPaused();
    return isWhole && 'id' in this.socket ? this.socket.id : undefined;
  }

  /** Whether it takes messages. */
  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  private take(chunk: Buffer): void {
    this.heard();
    for (const received of this.decoder.push(chunk)) {
      this.inFlightMax += 1;
      this.listeners.received(received);
    }
    if (this.inFlightMax <= IN_FLIGHT || this.socket.isPaused()) return;
    this.socket.pause();
    this.listeners.paused();
  }

  /** So many of its messages are in flight: says whether the controller may send again. */
  resumesWith(inFlight: number): boolean {
    this.inFlightMax = inFlight;
    if (inFlight > IN_FLIGHT / 2) return false;
    this.socket.resume();
    return true;
  }

  private over(how: 'closes' | 'breaks'): void {
    if (!this.isOpen) return;
    this.heard();
    this.socket.destroy();
    this.listeners.closed(how, this.decoder.incomplete);
  }

  /** False if the controller takes nothing any more. */
  write(bytes: Uint8Array): boolean {
    if (!this.socket.writable) return false;
    this.socket.write(bytes);
    return true;
  }

  /** The switch closes it. The controller gets what was written before; what it still sends is lost. */
  end(): void {
    this.heard();
    this.socket.removeAllListeners('data').removeAllListeners('end');
    this.socket.destroySoon();
  }

  /** One of its two ends is gone. */
  break(): void {
    this.heard();
    reset(this.socket);
  }
}
