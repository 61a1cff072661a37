import type { ControllerIo, Received } from '../base/app.ts';

const BEAT_MS = 3_000;

/**
 * Says whether a controller is the master of its switches. One without peers is, from its start on. Another one is the backup of its
 * peer, and takes over when it has had no sign of life for three seconds.
 */
export class Mastership {
  isMaster: boolean;
  private hasHeard = false;
  private takingOver: ReturnType<ControllerIo['setTimeout']> | undefined;

  constructor(
    private readonly io: ControllerIo,
    peers: readonly string[],
    private readonly takenOver: () => void,
  ) {
    const [master] = peers;
    this.isMaster = master === undefined;
    if (master === undefined) return;
    const beat = (): void => {
      if (!this.isMaster) io.send(master, { type: 'beat' });
    };
    beat();
    io.setInterval(beat, BEAT_MS);
  }

  /** Takes a message of the other controller; false if it is another one. */
  take(message: Received, from: string, isPeer: boolean): boolean {
    if (message.type === 'beat') this.io.send(from, { type: 'alive' });
    else if (message.type === 'alive') this.hear();
    else if (message.type === 'closed' && isPeer) this.miss();
    else return false;
    return true;
  }

  private hear(): void {
    this.hasHeard = true;
    if (this.takingOver !== undefined) this.io.clearTimeout(this.takingOver);
    this.takingOver = undefined;
  }

  /** The connection to the master is over. Before the first sign of life the master may not have started yet. */
  private miss(): void {
    if (!this.hasHeard || this.isMaster || this.takingOver !== undefined) return;
    const takeOver = (): void => {
      this.isMaster = true;
      this.io.log('takes over');
      this.takenOver();
    };
    this.takingOver = this.io.setTimeout(takeOver, BEAT_MS);
  }
}
