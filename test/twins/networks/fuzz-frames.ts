import fc from 'fast-check';
import { Random } from 'culprit/kernel';
import { buildFrame, parseFrame } from 'culprit/networks';
import { arbitraryFrame } from './arbitrary-frame.ts';
import { mutated } from './mutated-bytes.ts';

/** What random and mutated frames were parsed to, by the kind of their innermost part that is not opaque. */
export interface FuzzedFrames {
  readonly kinds: Record<string, number>;
  /** The frames, as hexadecimal text, that show a bug. */
  readonly bugs: string[];
}

/** Parses frames, and compares what is built of them with the bytes that they were parsed from. */
export function fuzzFrames(seed: number, inputs: number): FuzzedFrames {
  const originals = fc
    .sample(arbitraryFrame, { numRuns: 500, seed })
    .map((frame) => Buffer.from(buildFrame(frame), 'hex'));
  const random = Random.seeded(seed, 0x6672);
  const fuzzed: FuzzedFrames = { kinds: {}, bugs: [] };
  for (let round = 0; round < inputs; round++) {
    const data = mutated(originals, random).toString('hex');
    try {
      const kind = kindOf(data);
      fuzzed.kinds[kind] = (fuzzed.kinds[kind] ?? 0) + 1;
      if (!isSameAgain(data)) fuzzed.bugs.push(data);
    } catch (error) {
      fuzzed.bugs.push(`${String(error)}: ${data}`);
    }
  }
  return fuzzed;
}

function kindOf(data: string): string {
  const payload = parseFrame(data)?.payload;
  if (payload === undefined) return 'too short';
  return payload.kind === 'ipv4' && payload.payload.kind !== 'opaque' ? payload.payload.kind : payload.kind;
}

function isSameAgain(data: string): boolean {
  const frame = parseFrame(data);
  return frame === undefined ? data.length < 28 : buildFrame(frame) === data;
}
