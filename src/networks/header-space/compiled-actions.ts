import { ipv4Number } from '../bytes/addresses.ts';
import type { Action, Port } from '../openflow/messages.ts';
import { DL_DST, DL_SRC, macNumber, NW_DST, NW_SRC, NW_TOS, TP_DST, TP_SRC } from './fields.ts';

/** An action, as far as header space is concerned. Those that send packets to no port of a link are left out. */
export type CompiledStep =
  | { readonly kind: 'set'; readonly field: number; readonly value: number }
  | { readonly kind: 'vlan' | 'pcp'; readonly value: number }
  | { readonly kind: 'strip' }
  | { readonly kind: 'output'; readonly port: number | 'flood' | 'all' | 'in_port' };

export type OutputStep = Extract<CompiledStep, { kind: 'output' }>;
export type RewriteStep = Exclude<CompiledStep, { kind: 'output' }>;

export function compiled(actions: readonly Action[]): readonly CompiledStep[] {
  const [action] = actions;
  // Most entries have one.
  return action !== undefined && actions.length === 1 ? stepsOf(action) : actions.flatMap((one) => stepsOf(one));
}

function stepsOf(action: Action): readonly CompiledStep[] {
  switch (action.type) {
    case 'output':
    case 'enqueue':
      return outputTo(action.port);
    case 'set_vlan_vid':
      return [{ kind: 'vlan', value: action.vlanVid }];
    case 'set_vlan_pcp':
      return [{ kind: 'pcp', value: action.vlanPcp }];
    case 'strip_vlan':
      return [{ kind: 'strip' }];
    case 'set_dl_src':
      return [{ kind: 'set', field: DL_SRC, value: macNumber(action.dlAddr) }];
    case 'set_dl_dst':
      return [{ kind: 'set', field: DL_DST, value: macNumber(action.dlAddr) }];
    case 'set_nw_src':
      return [{ kind: 'set', field: NW_SRC, value: ipv4Number(action.nwAddr) }];
    case 'set_nw_dst':
      return [{ kind: 'set', field: NW_DST, value: ipv4Number(action.nwAddr) }];
    case 'set_nw_tos':
      return [{ kind: 'set', field: NW_TOS, value: action.nwTos >> 2 }];
    case 'set_tp_src':
      return [{ kind: 'set', field: TP_SRC, value: action.tpPort }];
    case 'set_tp_dst':
      return [{ kind: 'set', field: TP_DST, value: action.tpPort }];
    case 'vendor':
      return [];
  }
}

/** A controller, the stack of the switch and `none` are no ports of links. */
function outputTo(port: Port): readonly CompiledStep[] {
  const isLink = typeof port === 'number' || port === 'flood' || port === 'all' || port === 'in_port';
  return isLink ? [{ kind: 'output', port }] : [];
}
