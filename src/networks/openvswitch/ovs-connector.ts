import { isLive, type Connector, type LiveProgram } from '../../hosts/live/connector.ts';
import { TcpConnection } from '../../hosts/live/tcp/tcp.ts';
import { nothingPasses } from '../../hosts/live/tcp/tcp-options.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { BadNetwork } from '../network/names.ts';
import { missingProgram } from './ovs-script.ts';
import { OvsConnection, type JoinedOvs } from './ovs-connection.ts';

/** Joins a switch of Open vSwitch to its controllers, and to the switches at its links. */
export const ovsConnector = (ovs: JoinedOvs): Connector => ({
  announces: false,
  isDirect: true,
  // It has threads and timers, so what it sends may come late.
  messagesAreOurs: false,
  mustGetReady: true,
  async join(program) {
    const missing = missingProgram();
    if (missing !== undefined)
      throw new BadNetwork(
        `${program.place.name} needs ${missing}, which is not installed.`,
        'Install Open vSwitch: sudo apt-get install openvswitch-switch',
      );
    checkNames(ovs, program);
    return new OvsConnection(ovs, program, await TcpConnection.join({ ...program, ports: [], passing: nothingPasses }));
  },
});

function checkNames({ controllers, peers }: JoinedOvs, { io: { declared, self } }: LiveProgram): void {
  const linked = [...peers.values()].map((end) => end.switch);
  for (const name of [...controllers, ...linked])
    if (!declared.has(name))
      throw new BadNetwork(
        `${self} is connected to ${name}, and no process is called that${didYouMean(name, [...declared.keys()]) || '.'}`,
        'Check the names in `controllers` and `links` of openVSwitch.',
      );
  for (const name of controllers)
    if (!isLive(declared.get(name)))
      throw new BadNetwork(
        `${name} cannot control ${self}: Open vSwitch connects to controllers that are programs.`,
        'Make it a controller(…), or let it control a switch of culprit.',
      );
}
