import type { FlowMod } from 'culprit/networks';

/** A flow_mod without match and actions. */
export const ordinaryFlowMod = (index: number): FlowMod => ({
  type: 'flow_mod',
  xid: index,
  match: {},
  cookie: index,
  command: 'add',
  idleTimeout: 10,
  hardTimeout: 30,
  priority: 0x8000,
  bufferId: 'none',
  outPort: 'none',
  flags: ['send_flow_rem'],
  actions: [],
});

export const macOf = (index: number): string =>
  `00:00:5e:${((index >> 16) & 0xff).toString(16).padStart(2, '0')}:${((index >> 8) & 0xff).toString(16).padStart(2, '0')}:${(index & 0xff).toString(16).padStart(2, '0')}`;
