/** Real programs, in any language, as processes of a system. */
export { command, type CommandBehavior } from './command.ts';
export type { CommandOptions, Printed } from './command-options.ts';
export type { Connection, Connector, Endpoint, LiveProgram, Place } from './connector.ts';
export type { Probed, Ready } from './process/readiness.ts';
export { stdio } from './stdio/stdio.ts';
export { NoMessage, type Addressed, type LineCodec } from './stdio/line-codec.ts';
export { jsonLines } from './json-lines.ts';
export { tcp } from './tcp/tcp.ts';
export type { TcpOptions } from './tcp/tcp-options.ts';
export type { PassedLink } from './tcp/passed-connection.ts';
export { http1 } from './tcp/codecs/http1.ts';
export { lengthPrefixed, type LengthPrefix } from './tcp/codecs/length-prefixed.ts';
export { raw } from './tcp/codecs/raw.ts';
export { resp } from './tcp/codecs/resp.ts';
export { Unreadable } from './tcp/frame-codec.ts';
export type { FrameCodec, FrameMessage, FrameReader, FrameReaders, ReadFrame } from './tcp/frame-codec.ts';
export { fingerprintOf } from './tcp/frame-message.ts';
