import type { ControllerIo } from './app.ts';
import type { ConnectedSwitch } from './connected-switch.ts';
import type { Switches } from './switches.ts';

/** A switch that was silent for so many intervals is gone. */
const INTERVALS = 4;

/** Asks switches for echoes, and finds out which of them are gone without having said so. */
export class Keepalive {
  /** When something was last heard, by channel. */
  private readonly heardMs = new Map<string, number>();

  constructor(
    private readonly io: ControllerIo,
    private readonly switches: Pick<Switches, 'all'>,
    private readonly silent: (at: ConnectedSwitch) => void,
    /** The interval. */
    private readonly echoMs: number,
  ) {
    const echo = (): void => this.echo();
    io.setInterval(echo, echoMs);
  }

  heard(channel: string): void {
    this.heardMs.set(channel, this.io.now());
  }

  down({ channel }: ConnectedSwitch): void {
    this.heardMs.delete(channel);
  }

  private echo(): void {
    for (const at of this.switches.all) {
      if (this.io.now() - (this.heardMs.get(at.channel) ?? 0) > INTERVALS * this.echoMs) this.silent(at);
      else at.send({ type: 'echo_request', xid: 0, data: '' });
    }
  }
}
