import type { PortStatus } from 'culprit/networks';
import type { App, AppOptions, ControllerIo, Received } from '../base/app.ts';
import type { ConnectedSwitch } from '../base/connected-switch.ts';
import { Switches, type PacketAt, type SwitchListener } from '../base/switches.ts';
import { Sections } from './sections.ts';
import { SendBuffer } from './send-buffer.ts';
import { timerThread, workerThread } from './threads.ts';

/** How long a computation about a port takes. */
const COMPUTATION_MS = 500;

/**
 * A controller with a second thread, which computes something about each port that changes. It forwards nothing.
 *
 * Bug `race`: the section of a port may be entered again while the other thread is in it. Bug `io`: both threads take messages off one send buffer,
 * without a lock.
 */
export class Threaded implements App, SwitchListener {
  private readonly switches: Switches;
  private readonly sections: Sections;
  private changes = 0;

  constructor(io: ControllerIo, { bug, given, pace }: AppOptions) {
    const isThreaded = given['threads'] === 'true';
    const compute = isThreaded ? workerThread(COMPUTATION_MS / pace) : timerThread(io, COMPUTATION_MS);
    this.sections = new Sections(compute, { isGuarded: bug !== 'race' });
    const buffer =
      bug === 'io' || given['buffered'] === 'true' ? new SendBuffer(io.send, { isLocked: bug !== 'io' }) : undefined;
    this.switches = new Switches(buffer === undefined ? io : { ...io, send: buffer.send }, this);
  }

  receive(message: Received, from: string): void {
    this.switches.receive(message, from);
  }

  view(): object {
    return { changes: this.changes };
  }

  up(): void {
    // It has nothing to say to a new switch.
  }

  down(): void {
    // Computations about its ports end by themselves.
  }

  packetIn(packet: PacketAt, at: ConnectedSwitch): void {
    at.sendPacket(packet, []);
  }

  portStatus({ desc }: PortStatus, at: ConnectedSwitch): void {
    this.sections.enter(`${at.name}.${desc.portNo}`, () => (this.changes += 1));
  }
}
