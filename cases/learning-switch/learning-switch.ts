import { behavior, type Context } from 'culprit';
import { parseFrame, type FlowMod, type NetworkMessage, type PacketIn, type PortStatus } from 'culprit/networks';

interface State {
  /** The port of each switch at which a MAC address was last seen, by switch and address. */
  readonly ports: Record<string, Record<string, number>>;
  /** Ports that are down. */
  readonly down: string[];
}

type C = Context<NetworkMessage>;

/** A controller that learns where stations are. `forgets`: whether it forgets them when their port goes down. */
export const learningSwitch = ({ forgets }: { readonly forgets: boolean }) =>
  behavior<State, NetworkMessage>({
    start: () => ({ ports: {}, down: [] }),
    receive(state, message, ctx) {
      if (message.type === 'hello') ctx.send(ctx.from, message);
      else if (message.type === 'packet_in') forward(state, message, ctx);
      else if (message.type === 'port_status' && forgets) forget(state, message, ctx);
    },
  });

function forward(state: State, { inPort, bufferId, data }: PacketIn, ctx: C): void {
  const frame = parseFrame(data);
  if (frame === undefined || typeof inPort !== 'number' || state.down.includes(`${ctx.from}.${inPort}`)) return;
  const known = (state.ports[ctx.from] ??= {});
  known[frame.dlSrc] = inPort;
  const port = known[frame.dlDst];
  if (port === undefined) {
    const actions = [{ type: 'output', port: 'flood', maxLen: 0 }] as const;
    ctx.send(ctx.from, { type: 'packet_out', xid: 0, bufferId, inPort, actions, data: '' });
  } else {
    const match = { inPort, dlSrc: frame.dlSrc, dlDst: frame.dlDst };
    ctx.send(ctx.from, { ...flowMod, match, bufferId, actions: [{ type: 'output', port, maxLen: 0 }] });
  }
}

const flowMod = {
  type: 'flow_mod',
  xid: 0,
  match: {},
  cookie: 0,
  command: 'add',
  idleTimeout: 0,
  hardTimeout: 0,
  priority: 1,
  bufferId: 'none',
  outPort: 'none',
  flags: [],
  actions: [],
} as const satisfies FlowMod;

function forget(state: State, { desc: { portNo, state: bits } }: PortStatus, ctx: C): void {
  const name = `${ctx.from}.${portNo}`;
  if (state.down.includes(name)) state.down.splice(state.down.indexOf(name), 1);
  if (!bits.includes('link_down')) return;
  state.down.push(name);
  const known = state.ports[ctx.from] ?? {};
  for (const [mac, port] of Object.entries(known)) if (port === portNo) delete known[mac];
  ctx.send(ctx.from, { ...flowMod, command: 'delete', outPort: portNo });
}
