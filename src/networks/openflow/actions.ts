import type { Action, Port } from './messages.ts';
import { actionTypes, PORT_MAX, VENDOR, type ErrorCodes } from './names.ts';
import type { Reader } from './reader.ts';
import { RefusedMessage } from './refused.ts';
import type { Writer } from './writer.ts';

/** The length of an action, and its unit: the longest ones have 16 bytes, those of vendors more. */
const SHORT = 8;
const LONG = 16;

const OUTPUT = 0;

/** All actions from here to `end`. */
export function readActions(reader: Reader, end: number): Action[] {
  const actions: Action[] = [];
  while (reader.at < end) actions.push(readAction(reader, end));
  return actions;
}

function readAction(reader: Reader, end: number): Action {
  const start = reader.at;
  const left = end - start;
  if (left < SHORT) throw refused('bad_len', `${left} bytes are too short for an action`);
  const type = reader.u16();
  const length = reader.u16();
  if (length < SHORT || length % SHORT !== 0) throw refused('bad_len', `the length of an action is ${length}`);
  if (length > left) throw refused('bad_len', `an action of ${length} bytes has only ${left} left`);
  const action = type === VENDOR ? readVendor(reader, start + length) : readKnown(reader, type, length);
  reader.at = start + length;
  return action;
}

function readVendor(reader: Reader, end: number): Action {
  return { type: 'vendor', vendor: reader.u32(), data: reader.hex(end - reader.at) };
}

function readKnown(reader: Reader, number: number, length: number): Action {
  const type = actionTypes[number];
  if (type === undefined) throw refused('bad_type', `there is no action of type ${number}`);
  if (length !== lengthOf(type)) throw refused('bad_len', `the length of ${type} is ${length}`);
  switch (type) {
    case 'output':
      return { type, port: checkedPort(type, reader.port()), maxLen: reader.u16() };
    case 'set_vlan_vid':
      return { type, vlanVid: checkedArgument(type, reader.u16()) };
    case 'set_vlan_pcp':
      return { type, vlanPcp: checkedArgument(type, reader.u8()) };
    case 'strip_vlan':
      return { type };
    case 'set_dl_src':
    case 'set_dl_dst':
      return { type, dlAddr: reader.mac() };
    case 'set_nw_src':
    case 'set_nw_dst':
      return { type, nwAddr: reader.ipv4() };
    case 'set_nw_tos':
      return { type, nwTos: checkedArgument(type, reader.u8()) };
    case 'set_tp_src':
    case 'set_tp_dst':
      return { type, tpPort: reader.u16() };
    case 'enqueue':
      return { type, port: checkedPort(type, reader.port()), queueId: queueAfterPad(reader) };
  }
}

const lengthOf = (type: Action['type']): number =>
  type === 'set_dl_src' || type === 'set_dl_dst' || type === 'enqueue' ? LONG : SHORT;

function queueAfterPad(reader: Reader): number {
  reader.skip(6);
  return reader.u32();
}

const refused = (code: ErrorCodes['bad_action'], reason: string): RefusedMessage =>
  RefusedMessage.as('bad_action', code, reason);

function checkedPort(type: 'output' | 'enqueue', port: Port): Port {
  if (!isOutput(type, port)) throw refused('bad_out_port', `${type} names the port ${port}`);
  return port;
}

/** Packets can be queued at physical ports only. */
const isOutput = (type: 'output' | 'enqueue', port: Port): boolean =>
  typeof port === 'number' ? port > 0 && port <= PORT_MAX : type === 'output' ? port !== 'none' : port === 'in_port';

/** The bits that the argument of an action may have. */
const argumentBits = { set_vlan_vid: 0xfff, set_vlan_pcp: 0x7, set_nw_tos: 0xfc };

function checkedArgument(type: keyof typeof argumentBits, argument: number): number {
  if ((argument & argumentBits[type]) === argument) return argument;
  throw refused('bad_argument', `the argument of ${type} is ${argument}`);
}

/** Writes also what reading refuses, such as a port that there is not: a controller may be wrong. */
export function writeActions(writer: Writer, actions: readonly Action[]): void {
  for (const action of actions) writeAction(writer, action);
}

function writeAction(writer: Writer, action: Action): void {
  const number = numberOf(action.type);
  if (number === undefined) throw writer.isNot('actions.type', action.type, `one of ${actionTypes.join(', ')}, vendor`);
  writer.u16('type', number);
  if (action.type === 'vendor') {
    writeVendor(writer, action);
    return;
  }
  writer.u16('length', lengthOf(action.type));
  writeArguments(writer, action);
}

const numbers = new Map<string, number>([
  ...actionTypes.map((type, number): [string, number] => [type, number]),
  ['vendor', VENDOR],
]);

/** The first is by far the most frequent. */
const numberOf = (type: string): number | undefined => (type === 'output' ? OUTPUT : numbers.get(type));

function writeVendor(writer: Writer, { vendor, data }: Extract<Action, { type: 'vendor' }>): void {
  const place = writer.at;
  writer.zeros(2);
  writer.u32('actions.vendor', vendor);
  writer.hex('actions.data', data);
  const length = writer.at - place + 2;
  if (length % SHORT !== 0) throw writer.isNot('actions.data', data, 'as long as the action is a multiple of 8 bytes');
  writer.patch16(place, length);
}

function writeArguments(writer: Writer, action: Exclude<Action, { type: 'vendor' }>): void {
  switch (action.type) {
    case 'output':
      writer.port('actions.port', action.port);
      writer.u16('actions.maxLen', action.maxLen);
      return;
    case 'set_vlan_vid':
      writer.u16('actions.vlanVid', action.vlanVid);
      writer.zeros(2);
      return;
    case 'set_vlan_pcp':
      writer.u8('actions.vlanPcp', action.vlanPcp);
      writer.zeros(3);
      return;
    case 'set_nw_tos':
      writer.u8('actions.nwTos', action.nwTos);
      writer.zeros(3);
      return;
    case 'strip_vlan':
      writer.zeros(4);
      return;
    case 'set_dl_src':
    case 'set_dl_dst':
      writer.mac('actions.dlAddr', action.dlAddr);
      writer.zeros(6);
      return;
    case 'set_nw_src':
    case 'set_nw_dst':
      writer.ipv4('actions.nwAddr', action.nwAddr);
      return;
    case 'set_tp_src':
    case 'set_tp_dst':
      writer.u16('actions.tpPort', action.tpPort);
      writer.zeros(2);
      return;
    case 'enqueue':
      writer.port('actions.port', action.port);
      writer.zeros(6);
      writer.u32('actions.queueId', action.queueId);
      return;
  }
}
