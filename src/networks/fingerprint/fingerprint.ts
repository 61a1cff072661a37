import { didYouMean } from '../../text/did-you-mean.ts';
import { BadNetwork } from '../network/names.ts';
import type { NetworkOptions } from '../network/options.ts';
import { masks, type Comparison, type Mask } from './masks.ts';
import { packetKind } from './packet-kind.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What counts of the messages of a network, as a function; `words` says it to people. */
export interface NetworkFingerprint {
  (message: unknown): unknown;
  /** Which fields count, as a sentence for reports. */
  readonly words: string;
}

/** What counts of messages of a network when executions are compared. */
export function networkFingerprint(further: NonNullable<NetworkOptions['alsoCompare']> = {}): NetworkFingerprint {
  const all = new Map<string, Mask>(Object.entries(masks));
  for (const [type, fields] of Object.entries(further)) all.set(type, withFields(type, fields, all.get(type)));
  const fingerprint = (message: unknown): unknown => {
    const mask = isFields(message) ? all.get(message['type'] as string) : undefined;
    return mask === undefined || !has(message, mask) ? message : comparable(message as Fields, mask);
  };
  return Object.assign(fingerprint, { words: wordsOf(all) });
}

const isFields = (message: unknown): message is Fields => typeof message === 'object' && message !== null;

/** A message of another protocol may have a type of the same name. */
const has = (message: unknown, mask: Mask): boolean => Object.keys(mask).every((field) => field in (message as Fields));

function comparable(message: Fields, mask: Mask): Fields {
  const fields = Object.entries(mask).filter(([, how]) => how !== 'masked');
  return {
    type: message['type'],
    ...Object.fromEntries(fields.map(([field, how]) => [field, compared[how](message[field])])),
  };
}

const compared: Readonly<Record<Comparison, (value: unknown) => unknown>> = {
  kept: (value) => value,
  masked: () => undefined,
  packet: packetKind,
  port: (value) => (isFields(value) ? { portNo: value['portNo'], hwAddr: value['hwAddr'] } : value),
};

function withFields(type: string, fields: readonly string[], mask: Mask | undefined): Mask {
  const unknown = mask && fields.find((field) => !Object.hasOwn(mask, field));
  if (mask !== undefined && unknown !== undefined)
    throw new BadNetwork(
      `alsoCompare: ${type} has no field ${JSON.stringify(unknown)}${didYouMean(unknown, Object.keys(mask)) || '.'}`,
      `Its fields are ${Object.keys(mask).join(', ')}.`,
    );
  return { ...mask, ...Object.fromEntries(fields.map((field) => [field, 'kept' as const])) };
}

/** `flow_mod (match, command, …), hello, …`: the fields that count. */
function wordsOf(all: ReadonlyMap<string, Mask>): string {
  const types = [...all].map(([type, mask]) => {
    const fields = Object.entries(mask).flatMap(([field, how]) => (how === 'masked' ? [] : [field + suffix[how]]));
    return { type, fields };
  });
  const counting = types
    .filter(({ fields }) => fields.length > 0)
    .map(({ type, fields }) => `${type} (${fields.join(', ')})`);
  const bare = types.filter(({ fields }) => fields.length === 0).map(({ type }) => type);
  return (
    `of a message these fields count: ${counting.join(', ')}; of ${bare.join(', ')} only the type. ` +
    'Packets are compared by both pairs of addresses (IPv4), or by their type; ports by number and address'
  );
}

const suffix: Readonly<Record<Comparison, string>> = { kept: '', masked: '', packet: ' as packet', port: ' as port' };
