import type { Socket } from 'node:net';
import type { Io } from '../../../kernel/uncontrolled/io.ts';

/** One end of a connection: a program behind a socket of ours, or a process of the user that has neither. */
export interface ConnectionEnd {
  readonly name: string;
  /** Undefined for a process that does nothing by itself: what happens to it is observed at the other end. */
  readonly io: Pick<Io, 'send' | 'observe' | 'failed'> | undefined;
  readonly socket: Socket | undefined;
}

/** A socket, or something like one. */
type Resettable = Pick<Socket, 'destroyed' | 'writableEnded' | 'writableFinished' | 'connecting'> & {
  destroy(): unknown;
  resetAndDestroy(): unknown;
};

/** Ends a connection as a crash does: the other side notices at once, and what was not read yet is lost. */
export function reset(socket: Resettable | undefined): void {
  if (socket === undefined || socket.destroyed) return;
  // A connection that is being opened, or whose end is being announced, cannot be reset: Node would lose its handle, and never exit.
  const isEnding = socket.writableEnded && !socket.writableFinished;
  if (socket.connecting || isEnding) socket.destroy();
  else socket.resetAndDestroy();
}
