import { controllerBehavior, output } from 'culprit/networks';

interface State {
  /** The port of each switch at which a MAC address was last seen, by switch and address. */
  readonly ports: Record<string, Record<string, number>>;
  /** Ports that are down. */
  readonly down: string[];
}

/** A controller that learns where stations are. `forgets`: whether it forgets them when their port goes down. */
export const learningSwitch = ({ forgets }: { readonly forgets: boolean }) =>
  controllerBehavior<State>({
    start: () => ({ ports: {}, down: [] }),
    packetIn({ ports, down }, packet, from) {
      const { inPort, frame } = packet;
      const { dlSrc, dlDst } = frame;
      if (down.includes(`${from.name}.${inPort}`)) return;
      const known = (ports[from.name] ??= {});
      known[dlSrc] = inPort;
      const port = known[dlDst];
      if (port === undefined || port === inPort) from.sendPacket(packet, [output('flood')]);
      else from.addFlow({ match: { inPort, dlSrc, dlDst }, actions: [output(port)], packet });
    },
    portStatus({ ports, down }, { desc: { portNo, state } }, from) {
      const name = `${from.name}.${portNo}`;
      if (down.includes(name)) down.splice(down.indexOf(name), 1);
      if (!forgets || !state.includes('link_down')) return;
      down.push(name);
      const known = ports[from.name] ?? {};
      for (const [mac, port] of Object.entries(known)) if (port === portNo) delete known[mac];
      from.deleteFlows({ outPort: portNo });
    },
  });
