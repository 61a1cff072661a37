import type { Host } from '../../kernel/host.ts';
import type { Io } from '../../kernel/uncontrolled/io.ts';
import type { Multiplexer } from './inside/multiplexed-socket.ts';
import type { Child } from './process/child.ts';
import type { Reactions } from './process/reactions.ts';

/** Who runs the code of a live process: the operating system. */
export interface LiveHost extends Host {
  /** The port at which the program listens; undefined if it listens nowhere. */
  readonly port: number | undefined;
  readonly connector: Connector | undefined;
  /** How culprit finds out that the program has finished a reaction. */
  readonly reactions: Reactions;
  /** How many times as fast its clock runs; undefined for that of the machine. */
  readonly speed: number | undefined;
}

export const isLive = (host: Host | undefined): host is LiveHost => host !== undefined && 'connector' in host;

/** Where something listens. */
export interface Endpoint {
  /** The address, of this machine. */
  readonly address: string;
  /** The port. */
  readonly port: number;
}

/** Where a live process is, and where it finds the others. */
export interface Place {
  /** The name of its process. */
  readonly name: string;
  /** Its number among the declared processes, from 1. */
  readonly number: number;
  /** Its folder. A restart finds it as it was. */
  readonly dir: string;
  /** Where its program listens; undefined if it has no port. */
  readonly own: Endpoint | undefined;
  /** Where this process finds another one; undefined if that one listens nowhere. */
  readonly announced: (process: string) => Endpoint | undefined;
  /** The address of any process, also of one without a program: connections in its name come from there. Only beside a port. */
  readonly addressOf: (process: string) => string | undefined;
}

/** A program that a connector joins. */
export interface LiveProgram {
  /** What the program can do in its session: send, and ask the time. */
  readonly io: Io;
  /** Where it is. */
  readonly place: Place;
  /** The way to connections that come through the one socket of the program. */
  readonly multiplexer?: Multiplexer | undefined;
}

/** How messages reach a program and leave it. */
export interface Connector {
  /** Whether the connector stands between this program and those that reach it, at its announced address. */
  readonly announces: boolean;
  /**
   * Whether looks at the threads of the program say when it has finished reacting to a message. They do if we write to it and nothing
   * lies between.
   */
  readonly isDirect: boolean;
  /** Whether all messages of the program come through its standard streams: then these can be read at once. */
  readonly inStreams?: true;
  /** The same as of a host, if it differs from `isDirect`: such as for programs in which threads and timers are the rule. */
  readonly messagesAreOurs?: boolean;
  /** Whether a program that ends in its first life before it is ready was started wrongly. Otherwise that is a violation. */
  readonly mustGetReady?: boolean;
  /** Whether its connections can come through the one socket of a program with `inside: { sockets: true }`. */
  readonly multiplexes?: true;
  /** Joins a program that is about to start. */
  join(program: LiveProgram): Connection | Promise<Connection>;
}

/** The connection of one life of a program. */
export interface Connection {
  /** The program runs, but may not be ready yet. */
  started?(child: Child): void | Promise<void>;
  /** Whether the program is ready, where the connector knows and the options of the program do not say. */
  isReady?(): boolean | Promise<boolean>;
  /** Takes a line that the program printed; false if the line is no message. */
  takeLine?(line: string): boolean;
  /** Hands a message over. The promise resolves when it is written. */
  deliver(message: unknown, from: string, lane: string | undefined): void | Promise<void>;
  /** The program is ready, or has finished its reaction to a message, as far as that can be known. */
  reacted?(): Promise<void>;
  /** What the connector knows of the program: a part of what invariants see. */
  view?(): object;
  /** How the connection continues with a copy of the program as it is now; undefined if it cannot. */
  checkpoint?(): ((copy: LiveProgram) => Connection) | undefined;
  /** The life of the program ends. */
  close(): void | Promise<void>;
}
