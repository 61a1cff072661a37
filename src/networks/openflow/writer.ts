import { ByteWriter } from '../bytes/byte-writer.ts';
import type { BufferId, Port, QueueId } from './messages.ts';
import { FIRST_SPECIAL_PORT, specialPorts } from './names.ts';

const numberOfSpecialPort = new Map<unknown, number>(
  specialPorts.map((name, index) => [name, FIRST_SPECIAL_PORT + index]),
);

/** Writes the fields of one message in order. */
export class Writer extends ByteWriter {
  port(field: string, port: Port): void {
    this.patch16(this.take(2), this.numberOfPort(field, port));
  }

  bufferId(id: BufferId): void {
    this.patch32(this.take(4), this.idOr('bufferId', id, 'none'));
  }

  queueId(id: QueueId): void {
    this.patch32(this.take(4), this.idOr('queueId', id, 'all'));
  }

  private numberOfPort(field: string, port: Port): number {
    const number = typeof port === 'number' ? port : (numberOfSpecialPort.get(port) ?? -1);
    const isNumber = typeof port === 'number' && port < FIRST_SPECIAL_PORT;
    if ((number & 0xffff) !== number || (typeof port === 'number' && !isNumber)) {
      throw this.isNot(
        field,
        port,
        `a port: a number below ${FIRST_SPECIAL_PORT}, or one of ${specialPorts.join(', ')}`,
      );
    }
    return number;
  }

  private idOr<W extends string>(field: string, id: number | W, word: W): number {
    if (id === word) return 0xffffffff;
    const number = id as number;
    if (number >>> 0 !== number || number === 0xffffffff) {
      throw this.isNot(field, id, `a whole number from 0 to ${0xfffffffe}, or ${word}`);
    }
    return number;
  }
}
