import { ByteReader } from '../bytes/byte-reader.ts';
import type { BufferId, Port, QueueId } from './messages.ts';
import { FIRST_SPECIAL_PORT, specialPorts, type SpecialPort } from './names.ts';
import { RefusedMessage } from './refused.ts';

/** Reads the fields of one message in order. */
export class Reader extends ByteReader {
  port(): Port {
    const port = this.u16();
    return port < FIRST_SPECIAL_PORT ? port : (specialPorts[port - FIRST_SPECIAL_PORT] as SpecialPort);
  }

  portPadded(padding: number): Port {
    const port = this.port();
    this.at += padding;
    return port;
  }

  bufferId(): BufferId {
    const id = this.u32();
    return id === 0xffffffff ? 'none' : id;
  }

  queueId(): QueueId {
    const id = this.u32();
    return id === 0xffffffff ? 'all' : id;
  }

  /** The name of a number that has to have one. */
  named<N extends string>(names: readonly N[], number: number, field: string): N {
    const name = names[number];
    if (name === undefined)
      throw RefusedMessage.as('bad_request', 'bad_type', `${field} is ${number}, which has no meaning`);
    return name;
  }

  /** Parts of a fixed size up to the end. */
  list<T>(size: number, what: string, read: (reader: Reader) => T): T[] {
    if (this.left % size !== 0) {
      throw RefusedMessage.as(
        'bad_request',
        'bad_len',
        `${this.left} bytes are no list of ${what} of ${size} bytes each`,
      );
    }
    const items: T[] = [];
    while (this.at < this.end) items.push(read(this));
    return items;
  }
}
