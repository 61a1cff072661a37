import { readActions, writeActions } from './actions.ts';
import type { Layouts } from './layout.ts';
import { packetInReasons } from './names.ts';
import { RefusedMessage } from './refused.ts';

/** Messages that carry a packet. */
export const packetMessages: Layouts<'packet_in' | 'packet_out'> = {
  packet_in: {
    fixed: 18,
    isOpen: true,
    read: (reader, type, xid) => ({
      type,
      xid,
      bufferId: reader.bufferId(),
      totalLen: reader.u16(),
      inPort: reader.port(),
      reason: reader.named(packetInReasons, reader.u8Padded(1), 'the reason of packet_in'),
      data: reader.hex(),
    }),
    write(writer, message) {
      writer.bufferId(message.bufferId);
      writer.u16('totalLen', message.totalLen);
      writer.port('inPort', message.inPort);
      writer.u8('reason', writer.named('reason', packetInReasons, message.reason));
      writer.zeros(1);
      writer.hex('data', message.data);
    },
  },
  packet_out: {
    fixed: 16,
    isOpen: true,
    read(reader, type, xid) {
      const [bufferId, inPort, length] = [reader.bufferId(), reader.port(), reader.u16()];
      if (length > reader.left) {
        throw RefusedMessage.as('bad_request', 'bad_len', `actions of ${length} bytes have only ${reader.left} left`);
      }
      const actions = readActions(reader, reader.at + length);
      return { type, xid, bufferId, inPort, actions, data: reader.hex() };
    },
    write(writer, { bufferId, inPort, actions, data }) {
      writer.bufferId(bufferId);
      writer.port('inPort', inPort);
      const place = writer.at;
      writer.zeros(2);
      writeActions(writer, actions);
      writer.patch16(place, writer.at - place - 2);
      writer.hex('data', data);
    },
  },
};
