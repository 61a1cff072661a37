import type { FrameMessage } from 'culprit/live';

/** A request of the environment to the client. */
export type Request = { readonly type: 'write'; readonly value: number } | { readonly type: 'read' };

/** A command to a server of Redis. */
export type Command = readonly (string | number)[];

/** What the environment asks the operator for. */
export interface FailOver {
  readonly type: 'failover';
}

/** The operator takes the client off the primary, and says which server it uses from now on. */
export type Order = { readonly type: 'stop' } | { readonly type: 'use'; readonly server: string };

/** The client uses the primary no more. */
export interface Stopped {
  readonly type: 'stopped';
}

export type Reply = FrameMessage;
