import type { FrameMessage } from 'culprit/live';

/** A request of the environment to the client. */
export type Request = { readonly type: 'write'; readonly value: number } | { readonly type: 'read' };

/** A command to a server of Redis. */
export type Command = readonly (string | number)[];

/** What the operator says to the client. */
export interface Promoted {
  readonly type: 'promoted';
  readonly server: string;
}

export type Reply = FrameMessage;
