import type { Message } from './messages.ts';
import type { MessageType } from './names.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

export const HEADER = 8;

/** How messages are read and written, after their header. A layout gets messages of its own types only. */
export interface Layout<M extends Message> {
  /** The length of the fixed part, with the header. */
  readonly fixed: number;
  /** Whether a part of any length follows. */
  readonly isOpen: boolean;
  read(reader: Reader, type: M['type'], xid: number): M;
  write(writer: Writer, message: M): void;
}

/** The member of a union of messages that a type may belong to. */
type MessageOf<T extends MessageType, M = Message> = M extends Message ? (T extends M['type'] ? M : never) : never;

export type Layouts<T extends MessageType> = { readonly [K in T]: Layout<MessageOf<K>> };
