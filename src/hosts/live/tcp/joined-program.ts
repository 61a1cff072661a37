import type { Endpoint, LiveProgram, Place } from '../connector.ts';
import type { Child } from '../process/child.ts';
import type { Passing, TcpSettings } from './tcp-options.ts';

/** A port at which a program listens. */
export interface ListeningPort {
  /** Where the program listens. */
  readonly own: Endpoint;
  /** Where other programs find it: there a proxy listens. */
  readonly announced: Endpoint;
  /** How its connections are read or passed through. */
  readonly settings: TcpSettings;
}

/** The port in the options of a program; undefined if it listens nowhere. */
export function ownPort({ name, own, announced }: Place, settings: TcpSettings): ListeningPort | undefined {
  const at = own && announced(name);
  return own && at && { own, announced: at, settings };
}

/** A program that takes part in the connections of a session, in one of its lives. */
export interface JoinedProgram extends LiveProgram {
  /** The first is the one at which processes of the user reach it. */
  readonly ports: readonly ListeningPort[];
  /** Which of its links are passed through, of the connections that it opens. */
  readonly passing: Passing;
  /** The process of the operating system, from the moment it runs. */
  child?: Child;
}
