import { flowMod, type FlowMod } from 'culprit/networks';

/** A flow_mod without match and actions. */
export const ordinaryFlowMod = (index: number): FlowMod =>
  flowMod({ xid: index, cookie: index, idleTimeout: 10, hardTimeout: 30, flags: ['send_flow_rem'] });

export const macOf = (index: number): string =>
  `00:00:5e:${((index >> 16) & 0xff).toString(16).padStart(2, '0')}:${((index >> 8) & 0xff).toString(16).padStart(2, '0')}:${(index & 0xff).toString(16).padStart(2, '0')}`;
