import type { Match } from './messages.ts';

/**
 * The fields of a match, in the order of the standard. A field that another one has to allow comes after it: the priority after the
 * tag, the network layer after the type, ports after the protocol.
 */
export const matchFields = [
  'inPort',
  'dlSrc',
  'dlDst',
  'dlVlan',
  'dlVlanPcp',
  'dlType',
  'nwTos',
  'nwProto',
  'nwSrc',
  'nwDst',
  'tpSrc',
  'tpDst',
] as const satisfies readonly (keyof Match)[];
