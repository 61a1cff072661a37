import { readActions, writeActions } from './actions.ts';
import { BitNames } from '../bytes/bit-names.ts';
import type { Layouts } from './layout.ts';
import { readMatch, writeMatch } from './match.ts';
import type { FlowMod } from './messages.ts';
import { flowModCommands, flowModFlags, flowRemovedReasons, type FlowModCommand } from './names.ts';
import type { Reader } from './reader.ts';
import { RefusedMessage } from './refused.ts';
import type { Writer } from './writer.ts';

const flagBits = new BitNames(flowModFlags);

/** Messages about flow entries. */
export const flowMessages: Layouts<'flow_mod' | 'flow_removed'> = {
  flow_mod: { fixed: 72, isOpen: true, read: readFlowMod, write: writeFlowMod },
  flow_removed: {
    fixed: 88,
    isOpen: false,
    read: (reader, type, xid) => ({
      type,
      xid,
      match: readMatch(reader),
      cookie: reader.u64(),
      priority: reader.u16(),
      reason: reader.named(flowRemovedReasons, reader.u8Padded(1), 'the reason of flow_removed'),
      durationSec: reader.u32(),
      durationNsec: reader.u32(),
      idleTimeout: reader.u16Padded(2),
      packetCount: reader.u64(),
      byteCount: reader.u64(),
    }),
    write(writer, message) {
      writeMatch(writer, message.match);
      writer.u64('cookie', message.cookie);
      writer.u16('priority', message.priority);
      writer.u8('reason', writer.named('reason', flowRemovedReasons, message.reason));
      writer.zeros(1);
      writer.u32('durationSec', message.durationSec);
      writer.u32('durationNsec', message.durationNsec);
      writer.u16('idleTimeout', message.idleTimeout);
      writer.zeros(2);
      writer.u64('packetCount', message.packetCount);
      writer.u64('byteCount', message.byteCount);
    },
  },
};

function readFlowMod(reader: Reader, type: 'flow_mod', xid: number): FlowMod {
  const message: FlowMod = {
    type,
    xid,
    match: readMatch(reader),
    cookie: reader.u64(),
    command: commandOf(reader.u16()),
    idleTimeout: reader.u16(),
    hardTimeout: reader.u16(),
    priority: reader.u16(),
    bufferId: reader.bufferId(),
    outPort: reader.port(),
    flags: flagBits.namesOf(reader.u16()),
    actions: readActions(reader, reader.end),
  };
  if (hasEmergencyTimeout(message)) {
    throw RefusedMessage.as('flow_mod_failed', 'bad_emerg_timeout', 'an emergency flow entry has a timeout');
  }
  return message;
}

function commandOf(number: number): FlowModCommand {
  const command = flowModCommands[number];
  if (command !== undefined) return command;
  throw RefusedMessage.as('flow_mod_failed', 'bad_command', `there is no command ${number} of flow_mod`);
}

/** Emergency entries are for the time without a controller, and stay. */
const hasEmergencyTimeout = ({ flags, idleTimeout, hardTimeout }: FlowMod): boolean =>
  (idleTimeout !== 0 || hardTimeout !== 0) && flags.includes('emerg');

function writeFlowMod(writer: Writer, message: FlowMod): void {
  writeMatch(writer, message.match);
  writer.u64('cookie', message.cookie);
  writer.u16('command', writer.named('command', flowModCommands, message.command));
  writer.u16('idleTimeout', message.idleTimeout);
  writer.u16('hardTimeout', message.hardTimeout);
  writer.u16('priority', message.priority);
  writer.bufferId(message.bufferId);
  writer.port('outPort', message.outPort);
  writer.bits16('flags', flagBits, message.flags);
  writeActions(writer, message.actions);
}
