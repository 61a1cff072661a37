import { Decoder, openflow10, type FlowMod } from 'culprit/networks';
import type { Measured } from '../row.ts';
import { best, inTurns, ratio } from '../timing.ts';
import { macOf, ordinaryFlowMod } from './flow-mods.ts';

const ROUNDS = 15;
/** Messages in a round: many times those below, which are too few to leave the caches. */
const MESSAGES = 1000;
const REPEATS = 200;
/** What a socket hands over at once. */
const CHUNK = 65_536;

/** Copies: twice what a prototype needs that encodes 1.1 and decodes 0.9 million a second, while 7.6 are copied. */
const targets = {
  encode: { rate: '>= 500,000', copies: '<= 13' },
  decode: { rate: '>= 400,000', copies: '<= 16' },
};

/** The last result, so that no result is left out as unused. */
let kept: unknown;

/** The speed of the codec, and how many copies of the bytes of a message it takes as long as. */
export async function codec(): Promise<Measured[]> {
  return [
    ...(await measured('exact match, one output', exactMatch)),
    ...(await measured('few fields, two actions', fewFields)),
  ];
}

async function measured(name: string, made: (index: number) => FlowMod): Promise<Measured[]> {
  const messages = Array.from({ length: MESSAGES }, (_, index) => made(index));
  const encoded = messages.map((message) => Buffer.from(openflow10.encode(message)));
  const stream = Buffer.concat(encoded);
  const copied = Buffer.alloc(stream.length);
  const times = await inTurns(ROUNDS, {
    copy: repeated(() => copyAll(encoded, copied)),
    encode: repeated(() => {
      for (const message of messages) kept = openflow10.encode(message);
    }),
    decode: repeated(() => {
      for (const bytes of encoded) kept = openflow10.decode(bytes);
    }),
    stream: repeated(() => decodeStream(stream)),
    both: repeated(() => {
      for (const bytes of encoded) encodeAgain(bytes);
    }),
  });
  if (kept === undefined || !copied.equals(stream)) throw new Error('bench: a copy is wrong');
  const rate = (of: readonly number[]): number => (MESSAGES * REPEATS) / (best(of) / 1000);
  const row = (metric: string, value: number, unit: string, target?: string): Measured => ({
    case: name,
    metric,
    value,
    unit,
    ...(target === undefined ? {} : { target }),
  });
  return [
    row('copied', rate(times.copy), 'flow_mods/s'),
    row('encoded', rate(times.encode), 'flow_mods/s', targets.encode.rate),
    row('decoded', rate(times.decode), 'flow_mods/s', targets.decode.rate),
    row('decoded from a stream', rate(times.stream), 'flow_mods/s', targets.decode.rate),
    row('decoded and encoded again', rate(times.both), 'flow_mods/s'),
    row('encoded', ratio(times.encode, times.copy), 'x copied', targets.encode.copies),
    row('decoded', ratio(times.decode, times.copy), 'x copied', targets.decode.copies),
  ];
}

const repeated = (work: () => void) => (): void => {
  for (let done = 0; done < REPEATS; done++) work();
};

/** The loop to compare with: every message becomes a buffer of its own, which is put into a large one. */
function copyAll(encoded: readonly Buffer[], into: Buffer): void {
  let at = 0;
  for (const bytes of encoded) at += Buffer.from(bytes).copy(into, at);
}

function decodeStream(stream: Buffer): void {
  const decoder = new Decoder(openflow10);
  for (let at = 0; at < stream.length; at += CHUNK) kept = decoder.push(stream.subarray(at, at + CHUNK));
}

/** Reads all text that decoding made. */
function encodeAgain(bytes: Buffer): void {
  const received = openflow10.decode(bytes);
  if (received.kind !== 'message') throw new Error('bench: a message was refused');
  kept = openflow10.encode(received.message);
}

/** An entry of a controller that reacts to packets. */
const exactMatch = (index: number): FlowMod => ({
  ...ordinaryFlowMod(index),
  match: {
    inPort: 1 + (index % 48),
    dlSrc: macOf(index),
    dlDst: macOf(index * 7),
    dlVlan: 'none',
    dlVlanPcp: 0,
    dlType: 0x0800,
    nwTos: 0,
    nwProto: 6,
    nwSrc: `10.0.${index % 256}.${index % 199}`,
    nwDst: `10.1.${index % 199}.1`,
    tpSrc: 1024 + index,
    tpDst: 80,
  },
  actions: [{ type: 'output', port: 1 + (index % 47), maxLen: 0 }],
});

/** An entry of a learning switch or a router. */
const fewFields = (index: number): FlowMod => ({
  ...ordinaryFlowMod(index),
  match: index % 2 === 0 ? { inPort: 1, dlDst: macOf(index) } : { dlType: 0x0800, nwDst: `10.${index % 256}.0.0/16` },
  actions: [
    { type: 'set_dl_dst', dlAddr: macOf(index + 1) },
    { type: 'output', port: 1 + (index % 47), maxLen: 0 },
  ],
});
