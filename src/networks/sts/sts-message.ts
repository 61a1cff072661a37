import type { Message } from '../openflow/messages.ts';
import { openflow10 } from '../openflow/openflow10.ts';
import { itemsOf, recordOf, type Fields } from './sts-lines.ts';

/**
 * The OpenFlow message of an event; undefined if the file does not have it. Before 2014 files have fingerprints only: a message of which
 * only the type counts when executions are compared is made from its class.
 */
export function stsMessage(fields: Fields): Message | undefined {
  const bytes = fields['b64_packet'];
  if (typeof bytes === 'string') return decoded(Buffer.from(bytes, 'base64'));
  const { class: name, datapath_id: datapathId } = messageFingerprint(fields) ?? {};
  if (name === 'ofp_features_reply' && typeof datapathId === 'number') return { ...noFeatures, datapathId };
  return typeof name === 'string' ? typesOnly[name] : undefined;
}

function decoded(bytes: Buffer): Message | undefined {
  const received = openflow10.decode(bytes);
  return received.kind === 'message' ? received.message : undefined;
}

/** `["ControlMessageSend", {"class": "ofp_hello"}, 1, "c1"]`. */
function messageFingerprint({ fingerprint, _fingerprint: old }: Fields): Fields | undefined {
  return recordOf(itemsOf(fingerprint ?? old)[1]);
}

const noFeatures = {
  type: 'features_reply',
  xid: 0,
  nBuffers: 0,
  nTables: 1,
  capabilities: [],
  actions: [],
  ports: [],
} as const;

const typesOnly: Readonly<Record<string, Message>> = {
  ofp_hello: { type: 'hello', xid: 0, version: 1, elements: '' },
  ofp_echo_request: { type: 'echo_request', xid: 0, data: '' },
  ofp_echo_reply: { type: 'echo_reply', xid: 0, data: '' },
  ofp_features_request: { type: 'features_request', xid: 0 },
  ofp_barrier_request: { type: 'barrier_request', xid: 0 },
  ofp_barrier_reply: { type: 'barrier_reply', xid: 0 },
};
