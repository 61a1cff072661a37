import { buildFrame, type Frame } from 'culprit/networks';

/** One end of a link. */
export interface Place {
  readonly dpid: number;
  readonly port: number;
}

export const LLDP = 0x88cc;
/** The same contents in frames that switches which do not know LLDP pass on. */
export const BDDP = 0x8942;
/** The kind of identifier that is chosen by its owner. */
const LOCALLY_ASSIGNED = 7;
/** Where frames of discovery are sent to. */
export const NEAREST_BRIDGE = '01:80:c2:00:00:0e';

const hexOf = (number: number): string => number.toString(16).padStart(8, '0');

export const isDiscovery = ({ dlType }: Frame): boolean => dlType === LLDP || dlType === BDDP;

/** The frame by which a controller finds out where a port leads to. */
export const discoveryFrame = (dlType: number, { dpid, port }: Place, hwAddr: string): string =>
  buildFrame({
    dlDst: NEAREST_BRIDGE,
    dlSrc: hwAddr,
    dlType,
    payload: {
      kind: 'lldp',
      chassisId: { subtype: LOCALLY_ASSIGNED, id: hexOf(dpid) },
      portId: { subtype: LOCALLY_ASSIGNED, id: hexOf(port) },
      ttl: 120,
      tlvs: [],
    },
  });

/** Where a frame of discovery was sent from; undefined if it is none. */
export function originOf({ payload }: Frame): Place | undefined {
  if (payload.kind !== 'lldp') return undefined;
  return { dpid: Number.parseInt(payload.chassisId.id, 16), port: Number.parseInt(payload.portId.id, 16) };
}
