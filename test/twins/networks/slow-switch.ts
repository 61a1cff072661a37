import type { Action, Frame, Ipv4, Match, Port } from 'culprit/networks';

/** The match and the actions of a switch, on frames as plain data: the text of the standard, field by field. */

/** Whether the frame is one that the match is for. Fields of the match that the standard ignores are not looked at. */
export function slowMatches(match: Match, frame: Frame, inPort: Port): boolean {
  return Object.entries(slowFields(match, frame, inPort)).every(([name, value]) => {
    // The names are those of the fields of a match.
    const wanted = match[name as keyof Match];
    return wanted === undefined || isWanted(String(wanted), String(value));
  });
}

/** The fields of the frame that count for this match. */
function slowFields(match: Match, frame: Frame, inPort: Port): Match {
  const { dlSrc, dlDst, vlan } = frame;
  const isNetwork = match.dlType === 0x0800 || match.dlType === 0x0806;
  return {
    inPort,
    dlSrc,
    dlDst,
    dlVlan: vlan?.id ?? 'none',
    // -1 is no priority: a match with one is for tagged frames only, unless it says that there is no tag.
    ...(match.dlVlan === 'none' ? {} : { dlVlanPcp: vlan?.pcp ?? -1 }),
    dlType: slowType(frame),
    ...(isNetwork ? slowNetwork(match, frame) : {}),
  };
}

function slowType({ dlType, payload }: Frame): number {
  if (dlType >= 0x0600) return dlType;
  const data = payload.kind === 'opaque' ? payload.data : '';
  const snap = /^aaaa03000000(....)/.exec(data)?.[1];
  return snap === undefined || Number.parseInt(snap, 16) < 0x0600 ? 0x05ff : Number.parseInt(snap, 16);
}

function slowNetwork(match: Match, { payload }: Frame): Match {
  if (payload.kind === 'arp') {
    return { nwProto: payload.op > 255 ? 0 : payload.op, nwSrc: payload.spa, nwDst: payload.tpa };
  }
  const nothing = { nwProto: 0, nwSrc: '0.0.0.0', nwDst: '0.0.0.0' };
  if (payload.kind !== 'ipv4') return match.dlType === 0x0800 ? { ...nothing, nwTos: 0, tpSrc: 0, tpDst: 0 } : nothing;
  const { nwTos, nwProto, nwSrc, nwDst } = payload;
  const hasPorts = match.nwProto === 1 || match.nwProto === 6 || match.nwProto === 17;
  return { nwTos: nwTos - (nwTos % 4), nwProto, nwSrc, nwDst, ...(hasPorts ? slowPorts(payload) : {}) };
}

function slowPorts({ payload }: Ipv4): Match {
  switch (payload.kind) {
    case 'tcp':
    case 'udp':
      return { tpSrc: payload.tpSrc, tpDst: payload.tpDst };
    case 'icmp': {
      // An ICMP header has 8 bytes.
      const isWhole = payload.echo !== undefined || payload.data.length >= 8;
      return isWhole ? { tpSrc: payload.icmpType, tpDst: payload.icmpCode } : { tpSrc: 0, tpDst: 0 };
    }
    case 'opaque':
      return { tpSrc: 0, tpDst: 0 };
  }
}

/** Addresses are compared bit by bit. */
function isWanted(wanted: string, value: string): boolean {
  const [address = '', length] = wanted.split('/');
  if (length === undefined) return wanted === value;
  return bits(address).slice(0, Number(length)) === bits(value).slice(0, Number(length));
}

const bits = (address: string): string =>
  address
    .split('.')
    .map((octet) => Number(octet).toString(2).padStart(8, '0'))
    .join('');

/** The frame after an action; checksums are computed from scratch when it is built. */
export function slowAction(frame: Frame, action: Action): Frame {
  const { vlan, payload } = frame;
  switch (action.type) {
    case 'set_vlan_vid':
      return { ...frame, vlan: { pcp: 0, dei: false, ...vlan, id: action.vlanVid } };
    case 'set_vlan_pcp':
      return { ...frame, vlan: { id: 0, dei: false, ...vlan, pcp: action.vlanPcp } };
    case 'strip_vlan': {
      const { vlan: _, ...rest } = frame;
      return rest;
    }
    case 'set_dl_src':
      return { ...frame, dlSrc: action.dlAddr };
    case 'set_dl_dst':
      return { ...frame, dlDst: action.dlAddr };
    case 'set_nw_src':
      return payload.kind === 'ipv4' ? { ...frame, payload: { ...payload, nwSrc: action.nwAddr } } : frame;
    case 'set_nw_dst':
      return payload.kind === 'ipv4' ? { ...frame, payload: { ...payload, nwDst: action.nwAddr } } : frame;
    case 'set_nw_tos':
      return payload.kind === 'ipv4'
        ? { ...frame, payload: { ...payload, nwTos: action.nwTos + (payload.nwTos % 4) } }
        : frame;
    case 'set_tp_src':
      return withPorts(frame, { tpSrc: action.tpPort });
    case 'set_tp_dst':
      return withPorts(frame, { tpDst: action.tpPort });
    default:
      return frame;
  }
}

function withPorts(frame: Frame, ports: { readonly tpSrc?: number; readonly tpDst?: number }): Frame {
  const { payload } = frame;
  if (payload.kind !== 'ipv4' || (payload.payload.kind !== 'tcp' && payload.payload.kind !== 'udp')) return frame;
  return { ...frame, payload: { ...payload, payload: { ...payload.payload, ...ports } } };
}
