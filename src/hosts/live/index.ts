/** Real programs, in any language, as processes of a system. */
export { command, type CommandBehavior } from './command.ts';
export type { CommandOptions, Printed } from './command-options.ts';
export type { Connection, Connector, Endpoint, LiveProgram, Place } from './connector.ts';
export type { Probed, Ready } from './process/readiness.ts';
export { stdio } from './stdio/stdio.ts';
export { jsonLines, NoMessage, type Addressed, type LineCodec } from './stdio/line-codec.ts';
