import type { World } from 'culprit/kernel';
import { networkStateOf } from 'culprit/networks';

/** Once controllers have nothing to do, no flow entry sends packets to a port that is down. */
export function noBlackholes(world: World): true | string {
  if (world.pending.some(({ process, ...event }) => process === 'c1' || ('from' in event && event.from === 'c1')))
    return true;
  for (const { name, entries, ports } of networkStateOf(world).switches)
    for (const { actions } of entries)
      for (const action of actions) {
        if (action.type !== 'output') continue;
        const port = ports.find(({ portNo }) => portNo === action.port);
        if (port?.isUp === false) return `${name} sends packets to port ${port.portNo}, which is down`;
      }
  return true;
}
