import {
  flowMod,
  type Action,
  type FlowMod,
  type Match,
  type Message,
  type PacketIn,
  type PhyPort,
  type Port,
} from 'culprit/networks';
import type { ControllerIo } from './app.ts';

/** A packet that a switch asked about. */
export type AskedPacket = Pick<PacketIn, 'bufferId' | 'inPort' | 'data'>;

export const output = (port: Port): Action => ({ type: 'output', port, maxLen: port === 'controller' ? 0xff_ff : 0 });

export const isDown = ({ state }: PhyPort): boolean => state.includes('link_down');

/** A switch with a channel to the controller. */
export class ConnectedSwitch {
  /** Its physical ports. */
  readonly ports = new Map<number, PhyPort>();
  private xid = 0;

  constructor(
    readonly dpid: number,
    /** Where `io.send` reaches it. */
    readonly channel: string,
    private readonly io: Pick<ControllerIo, 'send'>,
  ) {}

  get name(): string {
    return `s${this.dpid}`;
  }

  send(message: Message): void {
    this.io.send(this.channel, message);
  }

  /** Errors about it have the number that is returned. */
  addFlow(flow: Partial<FlowMod> & { readonly match: Match; readonly actions: readonly Action[] }): number {
    const xid = this.nextXid();
    this.send(flowMod({ ...flow, xid }));
    return xid;
  }

  /** Deletes the entries that the match covers, of those that lead to `outPort` if it is given; without both, all. */
  deleteFlows({ match = {}, outPort = 'none' }: { readonly match?: Match; readonly outPort?: Port } = {}): void {
    this.send(flowMod({ command: 'delete', match, outPort, xid: this.nextXid() }));
  }

  /** Does these actions with a packet that the switch asked about. */
  sendPacket({ bufferId, inPort, data }: AskedPacket, actions: readonly Action[]): void {
    const given = bufferId === 'none' ? data : '';
    this.send({ type: 'packet_out', xid: this.nextXid(), bufferId, inPort, actions, data: given });
  }

  /** Sends a packet of the controller's own out of a port. */
  emit(data: string, port: Port): void {
    this.sendPacket({ bufferId: 'none', inPort: 'none', data }, [output(port)]);
  }

  /** Asks for an answer after everything sent before has taken effect; the answer has this number. */
  barrier(): number {
    const xid = this.nextXid();
    this.send({ type: 'barrier_request', xid });
    return xid;
  }

  private nextXid(): number {
    return (this.xid += 1);
  }
}
