import type { LiveProgram } from '../connector.ts';
import type { Child } from '../process/child.ts';
import type { TcpSettings } from './tcp-options.ts';

/** A program that takes part in the connections of a session, in one of its lives. */
export interface JoinedProgram extends LiveProgram {
  readonly settings: TcpSettings;
  /** The process of the operating system, from the moment it runs. */
  child?: Child;
}
