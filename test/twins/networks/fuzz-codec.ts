import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Random } from 'culprit/kernel';
import { Decoder, openflow10 } from 'culprit/networks';
import { arbitraryMessage } from './arbitrary-message.ts';
import { mutated } from './mutated-bytes.ts';

/** How random and mutated inputs were answered, and the inputs, as hexadecimal text, that show a bug of the codec. */
export interface Fuzzed {
  message: number;
  refused: number;
  broken: number;
  readonly bugs: string[];
}

/** Gives the codec inputs one by one, and each of them to a stream decoder in small chunks. */
export function fuzzCodec(seed: number, inputs: number): Fuzzed {
  const originals = fc.sample(arbitraryMessage, { numRuns: 500, seed }).map((one) => openflow10.encode(one));
  const random = Random.seeded(seed, 0x6f66);
  const fuzzed: Fuzzed = { message: 0, refused: 0, broken: 0, bugs: [] };
  for (let round = 0; round < inputs; round++) {
    const bytes = mutated(originals, random);
    try {
      fuzzed[openflow10.decode(bytes).kind]++;
      if (!isDecodedWell(bytes) || !isStreamedWell(bytes, random)) fuzzed.bugs.push(bytes.toString('hex'));
    } catch (error) {
      fuzzed.bugs.push(`${String(error)}: ${bytes.toString('hex')}`);
    }
  }
  return fuzzed;
}

/** A message is the same after another round, of the same length; the answer to a bad one can be sent. */
function isDecodedWell(bytes: Buffer): boolean {
  const received = openflow10.decode(bytes);
  if (received.kind !== 'message')
    return received.reply === undefined || openflow10.encode(received.reply).length >= 12;
  const again = openflow10.encode(received.message);
  const twice = openflow10.decode(again);
  return (
    again.length === bytes.length && twice.kind === 'message' && isDeepStrictEqual(twice.message, received.message)
  );
}

/** In chunks, every byte is read or held, unless the channel is broken. */
function isStreamedWell(bytes: Buffer, random: Random): boolean {
  const decoder = new Decoder(openflow10);
  let read = 0;
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + random.below(200);
    for (const received of decoder.push(bytes.subarray(at, end))) read += received.bytes.length;
    at = end;
  }
  return decoder.isBroken || read + decoder.incomplete === bytes.length;
}
