import type { PortStatus } from 'culprit/networks';
import type { ControllerIo } from '../base/app.ts';
import { isDown, type ConnectedSwitch } from '../base/connected-switch.ts';

/** A bug that has nothing to do with paths: it takes part in what the controller hears, and ends it with an exception. */
export interface Planted {
  up?(at: ConnectedSwitch): void;
  portStatus?(status: PortStatus, from: ConnectedSwitch): void;
  linkChanged?(): void;
  discoveryFrame?(): void;
}

/** Bug `leak`: memory is never freed after a switch has gone, and is used up by the `max`-th switch. */
export class MemoryLeak implements Planted {
  private used = 0;

  constructor(private readonly max: number) {}

  up(): void {
    if ((this.used += 1) >= this.max) throw new Error(`out of memory: ${this.max} switches have connected`);
  }
}

/** Bug `connect`: the handler of a switch that connects calls that of one that is gone, which fails. Only of switch 3, so that others connect. */
export class WrongCall implements Planted {
  up({ dpid }: ConnectedSwitch): void {
    if (dpid === 3) throw new TypeError("Cannot read properties of null (reading 'dpid')");
  }
}

/** Bug `corrupt`: when port 1 of switch 1 goes down, memory is overwritten that is used when the port comes up. */
export class MemoryCorruption implements Planted {
  private isOverwritten = false;

  portStatus({ desc }: PortStatus, { dpid }: ConnectedSwitch): void {
    if (dpid !== 1 || desc.portNo !== 1) return;
    if (isDown(desc)) this.isOverwritten = true;
    else if (this.isOverwritten) throw new Error('the state of s1.1 is not what it was');
  }
}

/** How long a port counts as changing, and how long after the change of a link it is looked at; 50 and 70 ms at pace 20. */
const PORT_MS = 1_000;
const LINK_MS = 1_400;

/**
 * Bug `timer`: a timer of links must not fire while a timer of ports runs, twice in a row without a frame of discovery between. The
 * first expects another port to be settled.
 */
export class TimerInterleaving implements Planted {
  private changing = 0;
  private unsettled = 0;

  constructor(private readonly io: Pick<ControllerIo, 'setTimeout'>) {}

  portStatus(): void {
    this.changing += 1;
    const settle = (): void => void (this.changing -= 1);
    this.io.setTimeout(settle, PORT_MS);
  }

  linkChanged(): void {
    const look = (): void => this.look();
    this.io.setTimeout(look, LINK_MS);
  }

  discoveryFrame(): void {
    this.unsettled = 0;
  }

  private look(): void {
    if (this.changing === 0) this.unsettled = 0;
    else if ((this.unsettled += 1) === 2) throw new Error('a port changed twice while it was looked at');
  }
}
