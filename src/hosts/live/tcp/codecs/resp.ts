import type { FrameCodec, FrameMessage, FrameReader, ReadFrame } from '../frame-codec.ts';
import { typeAndContent } from '../frame-message.ts';
import { asBytes, asData, isBytesAsData, type BytesAsData } from '../bytes-as-data.ts';
import { cannot, RespParser, RespWriter, type RespValue } from './resp-value.ts';
import { RespScanner } from './resp-scanner.ts';
import { ReplicationStream } from './resp-replication.ts';

/**
 * The protocol of Redis, versions 2 and 3. A command is { type: 'SET', content: ['SET', 'x', '1'] }; a reply has the type status,
 * error, integer, bulk, null, array, map, set, push, double, boolean or verbatim.
 */
export const resp = (): FrameCodec => ({
  name: 'resp()',
  open: ({ frameBytes }) => ({ client: commandReader(frameBytes), server: replyReader(frameBytes) }),
  bytesOf,
  fingerprint,
});

const LF = 0x0a;
const ASTERISK = 0x2a;

function commandReader(frameBytes: number): FrameReader {
  const scanner = new RespScanner(frameBytes);
  let searched = 0;
  return (unread) => {
    if (unread[0] === ASTERISK) {
      const length = scanner.lengthOf(unread);
      return length === undefined ? undefined : commandFrame(unread.subarray(0, length));
    }
    const end = unread.indexOf(LF, searched);
    searched = end < 0 ? unread.length : 0;
    return end < 0 ? undefined : inlineFrame(unread.subarray(0, end + 1));
  };
}

function commandFrame(bytes: Buffer): ReadFrame {
  const value = new RespParser(bytes).value();
  const isCommand = Array.isArray(value) && value.length > 0 && value.every(isBytesAsData);
  if (!isCommand) return { ...replyOf(value), length: bytes.length };
  return { type: commandName(value[0]), content: value, length: bytes.length };
}

/** A command as people type it: words in a line, some of them in quotes. */
function inlineFrame(bytes: Buffer): ReadFrame {
  const text = asData(bytes);
  if (typeof text !== 'string') return { type: 'inline', content: text, length: bytes.length };
  const words = [...text.matchAll(WORD)].map(([word]) => word.replaceAll(QUOTE, ''));
  return { type: words.length === 0 ? 'empty line' : commandName(words[0]), content: words, length: bytes.length };
}

const WORD = /(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\S)+/g;
const QUOTE = /^["']|["']$/g;

const commandName = (name: BytesAsData | undefined): string =>
  typeof name === 'string' && name !== '' ? name.toUpperCase() : 'command';

function replyReader(frameBytes: number): FrameReader {
  const scanner = new RespScanner(frameBytes);
  const replication = new ReplicationStream(frameBytes);
  return (unread) => {
    const file = replication.read(unread);
    if (file !== undefined) return file === 'incomplete' ? undefined : file;
    const length = scanner.lengthOf(unread);
    if (length === undefined) return undefined;
    const bytes = unread.subarray(0, length);
    // A primary sends its replica the commands that it has executed.
    if (replication.isUnderWay && unread[0] === ASTERISK) return commandFrame(bytes);
    const reply = replyOf(new RespParser(bytes).value());
    replication.note(reply);
    return { ...reply, length };
  };
}

/** The type and the content of a reply: the type says what nested values say with a tag. */
function replyOf(value: RespValue): { type: string; content: unknown } {
  if (value === null) return { type: 'null', content: null };
  if (typeof value === 'number') return { type: 'integer', content: value };
  if (typeof value === 'boolean') return { type: 'boolean', content: value };
  if (isBytesAsData(value)) return { type: 'bulk', content: value };
  if (Array.isArray(value)) return { type: 'array', content: value };
  const [[tag, inner] = ['', undefined], more] = Object.entries(value) as [string, unknown][];
  return more === undefined && tag !== 'integer' ? { type: tag, content: inner } : { type: 'value', content: value };
}

/** Types whose content is tagged where it is nested. */
const TAGGED = new Set(['status', 'error', 'double', 'verbatim', 'map', 'set', 'push']);
/** Types whose content is a value as it stands. */
const PLAIN = new Set(['null', 'integer', 'boolean', 'bulk', 'array', 'value']);

function bytesOf(message: unknown): Buffer {
  const writer = new RespWriter();
  if (Array.isArray(message)) return writer.command(message).result();
  if (typeof message !== 'object' || message === null || !('content' in message))
    throw cannot(`${JSON.stringify(message) ?? String(message)} is no command`);
  const { type, content } = message as FrameMessage;
  if (TAGGED.has(type)) return writer.value({ [type]: content }).result();
  if (PLAIN.has(type)) return writer.value(content).result();
  if (type === 'inline' && isBytesAsData(content)) return asBytes(content);
  if (!Array.isArray(content)) throw cannot(`${JSON.stringify(content) ?? String(content)} is no command`);
  return writer.command(content).result();
}

/** Names of replication streams and places in them differ between executions. */
function fingerprint(message: FrameMessage): unknown {
  const { type, content } = message;
  if (type === 'RDB' || type === 'PSYNC' || type === 'REPLCONF') return { type, content: firstWords(content) };
  if (type === 'status' && typeof content === 'string' && /^(?:FULLRESYNC|CONTINUE)\b/.test(content))
    return { type, content: content.split(' ', 1)[0] };
  return typeAndContent(message);
}

const firstWords = (content: unknown): unknown => (Array.isArray(content) ? content.slice(0, 2).map(masked) : null);

/** The name of a replication stream: 40 hexadecimal digits. */
const masked = (word: unknown): unknown => (typeof word === 'string' && /^[\da-f]{40}$/.test(word) ? '…' : word);
