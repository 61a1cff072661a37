import { flowMod, type Action, type FlowMod, type Match, type PacketOut, type Port } from 'culprit/networks';

export const output = (port: Port, maxLen = 0): Action => ({ type: 'output', port, maxLen });

/** Adds an entry for all packets, which leave through port 2. */
export const plainFlowMod: FlowMod = flowMod({ xid: 1, priority: 100, actions: [output(2)] });

let xid = 1000;

/** A flow_mod with a number of its own; the controller gets a message when its entry is removed. */
export const numberedFlowMod = (command: FlowMod['command'], match: Match, more: Partial<FlowMod> = {}): FlowMod => ({
  ...plainFlowMod,
  xid: ++xid,
  command,
  match,
  flags: ['send_flow_rem'],
  ...more,
});

/** The packet arrives at a port: as far as the flow table goes, a controller that sends it through the table does the same. */
export const arrivingPacket = (data: string, inPort = 1): PacketOut => ({
  type: 'packet_out',
  xid: ++xid,
  bufferId: 'none',
  inPort,
  actions: [output('table')],
  data,
});
