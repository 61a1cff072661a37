import type { FlowMod } from './messages.ts';

/** The priority of a flow entry unless its controller wants another: `OFP_DEFAULT_PRIORITY`. */
const DEFAULT_PRIORITY = 0x8000;

/**
 * A flow_mod with the usual values where none are given: it adds a permanent entry for all packets, of the default priority and
 * without actions, and names no buffered packet and no port.
 */
export const flowMod = (given: Partial<Omit<FlowMod, 'type'>> = {}): FlowMod => ({
  type: 'flow_mod',
  xid: 0,
  match: {},
  cookie: 0,
  command: 'add',
  idleTimeout: 0,
  hardTimeout: 0,
  priority: DEFAULT_PRIORITY,
  bufferId: 'none',
  outPort: 'none',
  flags: [],
  actions: [],
  ...given,
});
