import {
  byName,
  checked,
  count,
  either,
  flag,
  list,
  notNegative,
  object,
  oneOf,
  text,
  type Field,
} from '../../../kernel/options/fields.ts';
import { BadTcpOptions } from './bad-tcp-options.ts';
import { FRAME_BYTES_MAX, type FrameCodec } from './frame-codec.ts';
import type { PassedLink } from './passed-connection.ts';

/** How connections of a program are treated. */
export interface TcpOptions {
  /**
   * The processes whose connections with this one are passed through: their bytes are not messages of the kernel. Names, names
   * with how these links behave, or `true` for all.
   */
  readonly pass?: true | readonly string[] | Readonly<Record<string, PassedLink>>;
  /** Larger frames are not read: their connection is passed on as chunks. 16 MiB by default. */
  readonly frameBytes?: number;
}

/** Which links of a program are passed through. */
export interface Passing {
  /** By the name of the process. */
  readonly pass: ReadonlyMap<string, PassedLink>;
  readonly passesAll: boolean;
}

/** Of a program whose ports alone say how connections are read. */
export const nothingPasses: Passing = { pass: new Map(), passesAll: false };

/** How frames of a connection are read. */
export interface Framing {
  readonly codec: FrameCodec;
  readonly frameBytes: number;
}

/** The options with every default. */
export interface TcpSettings extends Framing, Passing {}

const linkField: Field = object<PassedLink>('an object such as { delayMs: 20 }', {
  onCut: oneOf(['hold', 'lose', 'reset']),
  delayMs: notNegative,
});

const optionsField: Field = object<TcpOptions>('an object with options', {
  pass: either((given) => {
    if (given === true) return flag;
    return Array.isArray(given) ? list('a list of processes', text) : byName('a list of processes', linkField);
  }),
  frameBytes: count(1),
});

/** The options with every default. Throws one sentence about the first mistake. */
export function tcpSettings(codec: FrameCodec, options: TcpOptions): TcpSettings {
  const { name, open, bytesOf } = Object(codec) as Partial<FrameCodec>;
  if (typeof name !== 'string' || typeof open !== 'function' || typeof bytesOf !== 'function')
    throw new BadTcpOptions(
      'tcp takes a codec with name, open and bytesOf.',
      'Give one, such as tcp(resp()), tcp(http1()) or tcp(raw()).',
    );
  checked(options, optionsField, { who: 'tcp', noun: 'option', error: BadTcpOptions });
  const { pass = [], frameBytes = FRAME_BYTES_MAX } = options;
  const links = Array.isArray(pass)
    ? (pass as readonly string[]).map((one) => [one, {}] as const)
    : Object.entries(pass === true ? {} : pass);
  return { codec, pass: new Map<string, PassedLink>(links), passesAll: pass === true, frameBytes };
}
