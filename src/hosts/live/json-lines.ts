import { jsonLines as asLines, type LineCodec } from './stdio/line-codec.ts';
import { jsonLines as asFrames } from './tcp/codecs/json-lines.ts';
import type { FrameCodec } from './tcp/frame-codec.ts';

/** One value of JSON a line: for `stdio`, where a line says who gets it, and for `tcp`, where its connection does. */
export const jsonLines = (): LineCodec & FrameCodec => ({ ...asLines(), ...asFrames() });
