import type { ErrorMessage } from './messages.ts';

/** What the bytes of one message are. `bytes` is a view of the chunk in which they arrived: copy it to keep it. */
export type Received<M> =
  | {
      readonly kind: 'message';
      /** The message as plain data. */
      readonly message: M;
      /** Exactly its bytes. */
      readonly bytes: Uint8Array;
    }
  | {
      /** `refused`: the message is wrong, and the next one can be read. `broken`: the channel has to be closed. */
      readonly kind: 'refused' | 'broken';
      /** What is wrong with it. */
      readonly reason: string;
      /** The error to answer with. An error is not answered, so that two programs do not answer each other forever. */
      readonly reply: ErrorMessage | undefined;
      readonly bytes: Uint8Array;
    };

/** A version of OpenFlow. */
export interface Protocol<M> {
  /** The number of the version in the header of its messages. */
  readonly version: number;
  /** Throws `CannotEncode` if the version has no such message. */
  encode(message: M): Uint8Array;
  /** Takes the bytes of one message. Never throws. */
  decode(bytes: Uint8Array): Received<M>;
}
