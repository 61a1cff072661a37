import type { Io } from 'culprit';
import type { Message } from 'culprit/networks';

/** What a controller gets of the outside world: the same as a program and in memory. */
export type ControllerIo = Pick<
  Io,
  'self' | 'send' | 'setTimeout' | 'setInterval' | 'clearTimeout' | 'clearInterval' | 'now' | 'random' | 'log'
>;

/** A channel to a switch, or a connection to a peer, is over. */
export interface Closed {
  readonly type: 'closed';
}

/** A message between controllers, or between a controller and a store. */
export interface PeerMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What a controller gets: messages of OpenFlow from switches, other messages from peers. */
export type Received = Message | Closed | PeerMessage;

/** A controller, or a store of controllers. An exception ends it. */
export interface App {
  /** `from` names the channel or the peer, and is where `io.send` sends answers to. */
  receive(message: Received, from: string): void;
  /** What it knows, as plain data: for invariants and stories where it runs in memory. */
  view(): object;
}

/** The arguments of a controller's command line, by name. */
export interface AppOptions {
  /** Name of the bug that it has; `none` for the right version. */
  readonly bug: string;
  /** The other arguments, such as `max`. */
  readonly given: Readonly<Record<string, string>>;
  /** The names of its peers. */
  readonly peers: readonly string[];
  /** So many times as fast its clock runs. */
  readonly pace: number;
}

export type AppClass = new (io: ControllerIo, options: AppOptions) => App;
