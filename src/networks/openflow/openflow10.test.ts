import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { examine } from '../../trace/plain-data.ts';
import { arbitraryMessages } from '../../../test/twins/networks/arbitrary-message.ts';
import { badMessages, rawMessage } from '../../../test/twins/networks/bad-messages.ts';
import { fuzzCodec } from '../../../test/twins/networks/fuzz-codec.ts';
import type { Action, ErrorMessage, FlowMod, Message } from './messages.ts';
import { errorReply, openflow10 } from './openflow10.ts';

const decoded = (bytes: Uint8Array): Message => {
  const received = openflow10.decode(bytes);
  if (received.kind !== 'message') throw new Error(received.reason);
  return received.message;
};

const replyTo = (bytes: Uint8Array): ErrorMessage => {
  const received = openflow10.decode(bytes);
  if (received.kind === 'message' || received.reply === undefined) throw new Error('it is not answered');
  return received.reply;
};

test('the random messages are of all 22 types, and all 7 kinds of statistics', () => {
  expect(arbitraryMessages.size).toBe(20 + 2 * 7);
});

describe.each([...arbitraryMessages])('%s', (_name, messages) => {
  test('is the same after encoding and decoding, in both directions', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const bytes = openflow10.encode(message);
        const again = decoded(bytes);
        expect(again).toEqual(message);
        expect(Buffer.from(openflow10.encode(again)).equals(bytes)).toBe(true);
        examine(again, 'a message', false);
      }),
      { numRuns: 200, seed: 17 },
    );
  });
});

/** A flow_mod whose match has these fields. */
const flowMod = (match: FlowMod['match'], more: Partial<FlowMod> = {}): FlowMod => ({
  type: 'flow_mod',
  xid: 7,
  match,
  cookie: 0,
  command: 'add',
  idleTimeout: 0,
  hardTimeout: 0,
  priority: 0x8000,
  bufferId: 'none',
  outPort: 'none',
  flags: [],
  actions: [{ type: 'output', port: 'flood', maxLen: 0 }],
  ...more,
});

test('a flow_mod has the bytes of the standard', () => {
  const message = flowMod({ inPort: 3, dlType: 0x0800, nwSrc: '192.0.2.0/24' });
  expect(Buffer.from(openflow10.encode(message)).toString('hex')).toBe(
    [
      '010e0050 00000007',
      // The match: wildcards for all but in_port, dl_type and 24 bits of nw_src; then its fields.
      '003808ee 0003 000000000000 000000000000 0000 00 00 0800 00 00 0000 c0000200 00000000 0000 0000',
      // Cookie, command, timeouts, priority, buffer, port, flags; then the action.
      '0000000000000000 0000 0000 0000 8000 ffffffff ffff 0000',
      '0000 0008 fffb 0000',
    ]
      .join('')
      .replaceAll(' ', ''),
  );
});

describe('bytes that the standard ignores', () => {
  test.each<[string, FlowMod['match'], number, number]>([
    ['a field under a wildcard', { inPort: 1 }, 14, 0xaa],
    ['padding', { inPort: 1 }, 8 + 33 - 12, 0xaa],
    ['unknown wildcards', {}, 8, 0xff],
    ['a number of ignored bits above 32', {}, 10, 0x3f],
    ['the ignored bits of an address', { nwSrc: '10.0.0.0/8' }, 8 + 31, 0xaa],
  ])('%s become zero, or the least value of the same meaning', (_name, match, at, value) => {
    const message = flowMod(match);
    const bytes = Buffer.from(openflow10.encode(message));
    const odd = Buffer.from(bytes);
    odd[at] = (odd[at] as number) | value;
    expect(odd.equals(bytes)).toBe(false);
    expect(decoded(odd)).toEqual(message);
  });
});

describe('a bad message is answered with the error of the standard:', () => {
  test.each(badMessages)('$name', ({ bytes, error, code }) => {
    const received = openflow10.decode(bytes);
    expect(received).toMatchObject({ kind: 'refused', reply: { type: 'error', xid: 9, error, code } });
    const reply = replyTo(bytes);
    expect(reply.data).toBe(bytes.subarray(0, 64).toString('hex'));
    expect(decoded(openflow10.encode(reply))).toEqual(reply);
  });

  test('an error is not answered', () => {
    for (const bytes of [rawMessage(1, '0000'), rawMessage(1, '00000000', 4)]) {
      expect(openflow10.decode(bytes)).toMatchObject({ kind: 'refused', reply: undefined });
    }
  });

  test('unknown errors and vendors are messages', () => {
    expect(decoded(rawMessage(1, 'b0c20001'))).toEqual({ type: 'error', xid: 9, error: 0xb0c2, code: 1, data: '' });
    expect(decoded(rawMessage(1, '00010063'))).toMatchObject({ error: 'bad_request', code: 99 });
    expect(decoded(rawMessage(4, '000023200000000a'))).toEqual({
      type: 'vendor',
      xid: 9,
      vendor: 0x2320,
      data: '0000000a',
    });
  });

  test('a length below that of the header breaks the channel', () => {
    const bytes = Buffer.from('0100000700000001', 'hex');
    expect(openflow10.decode(bytes)).toMatchObject({
      kind: 'broken',
      reply: { error: 'bad_request', code: 'bad_len' },
    });
  });

  test('a message and its length have to agree', () => {
    expect(openflow10.decode(Buffer.from('0100001000000009', 'hex'))).toMatchObject({
      kind: 'refused',
      reply: { code: 'bad_len' },
    });
    expect(openflow10.decode(new Uint8Array(3))).toMatchObject({ kind: 'broken' });
  });

  test('errors that depend on the switch quote the message', () => {
    const whole = flowMod({ dlSrc: '00:00:5e:00:53:01' });
    expect(errorReply(whole, 'flow_mod_failed', 'all_tables_full')).toEqual({
      type: 'error',
      xid: 7,
      error: 'flow_mod_failed',
      code: 'all_tables_full',
      data: Buffer.from(openflow10.encode(whole)).toString('hex', 0, 64),
    });
  });
});

describe('a hello', () => {
  test('of a later version is a message, with elements or without', () => {
    expect(decoded(rawMessage(0, '', 4))).toEqual({ type: 'hello', xid: 9, version: 4, elements: '' });
    expect(decoded(rawMessage(0, '0001000800000012', 4))).toMatchObject({ version: 4, elements: '0001000800000012' });
  });

  test('without a common version breaks the channel, and the error says so in words', () => {
    const received = openflow10.decode(rawMessage(0, '', 0));
    expect(received).toMatchObject({ kind: 'broken', reply: { error: 'hello_failed', code: 'incompatible' } });
    expect(Buffer.from(replyTo(rawMessage(0, '', 0)).data, 'hex').toString()).toBe(
      'This side speaks OpenFlow 1.0 (version 1), and no version 0.',
    );
  });
});

describe('a message that cannot be encoded is named, with its field:', () => {
  const bad = (fields: object): Message => ({ ...flowMod({}), ...fields });
  const acting = (action: object): Message => bad({ actions: [action] });
  test.each<[Message, string]>([
    [bad({ priority: 65536 }), 'flow_mod: priority is 65536, not a whole number from 0 to 65535.'],
    [bad({ priority: 1.5 }), 'flow_mod: priority is 1.5, not a whole number from 0 to 65535.'],
    [bad({ xid: -1 }), 'flow_mod: xid is -1, not a whole number from 0 to 4294967295.'],
    [bad({ cookie: 2 ** 60 }), /^flow_mod: cookie is 1152921504606847000, not a whole number/],
    [bad({ cookie: 7n }), /as a bigint only above/],
    [
      bad({ command: 'append' }),
      'flow_mod: command is "append", not one of add, modify, modify_strict, delete, delete_strict.',
    ],
    [bad({ bufferId: 0xffffffff }), /^flow_mod: bufferId is 4294967295, not .* or none\.$/],
    [bad({ outPort: 0xfffb }), /^flow_mod: outPort is 65531, not a port/],
    [bad({ outPort: 'everywhere' }), /^flow_mod: outPort is "everywhere", not a port/],
    [bad({ flags: ['sent'] }), /^flow_mod: flags is sent, not a list of names/],
    [bad({ flags: ['bit16'] }), /^flow_mod: flags is bit16, not a list of names/],
    [bad({ match: { dlSrc: '00:00:5E:00:53:01' } }), /match\.dlSrc is "00:00:5E:00:53:01", not a MAC address/],
    [bad({ match: { nwSrc: '10.0.0.256' } }), /match\.nwSrc is "10\.0\.0\.256", not an IPv4 address/],
    [bad({ match: { nwSrc: '10.0.0.1/8' } }), /match\.nwSrc is "10\.0\.0\.1\/8", not an IPv4 prefix/],
    [bad({ match: { nwDst: '10.0.0.0/32' } }), /match\.nwDst is "10\.0\.0\.0\/32", not an IPv4 prefix/],
    [bad({ match: { dlVlan: 65535 } }), /match\.dlVlan is 65535, not a number below 65535, or none/],
    [acting({ type: 'set_vlan_vid', vlanVid: 65536 }), /actions\.vlanVid is 65536/],
    [acting({ type: 'vendor', vendor: 1, data: '00' }), /multiple of 8 bytes/],
    [acting({ type: 'drop' }), /actions\.type is "drop", not one of output/],
    [{ type: 'echo_request', xid: 0, data: '0' }, /data is "0", not bytes as hexadecimal text/],
    [{ type: 'echo_request', xid: 0, data: '0g' }, /data is "0g", not bytes as hexadecimal text/],
    [{ type: 'echo_request', xid: 0, data: '00'.repeat(65528) }, 'echo_request is longer than 65535 bytes.'],
    [{ type: 'greeting', xid: 0 } as never, 'OpenFlow 1.0 has no message of type "greeting".'],
  ] as [Message, string][])('%#', (wrong, problem) => {
    expect(() => openflow10.encode(wrong)).toThrow(problem);
  });
});

describe('a message that is wrong, but can be expressed, is written, and refused where it is read:', () => {
  const acting = (action: Action): Message => flowMod({}, { actions: [action] });
  test.each<[Message, string]>([
    [acting({ type: 'output', port: 0, maxLen: 0 }), 'bad_out_port'],
    [acting({ type: 'output', port: 'none', maxLen: 0 }), 'bad_out_port'],
    [acting({ type: 'enqueue', port: 'all', queueId: 0 }), 'bad_out_port'],
    [acting({ type: 'set_vlan_vid', vlanVid: 4096 }), 'bad_argument'],
    [acting({ type: 'set_vlan_pcp', vlanPcp: 8 }), 'bad_argument'],
    [acting({ type: 'set_nw_tos', nwTos: 3 }), 'bad_argument'],
    [flowMod({}, { flags: ['emerg'], idleTimeout: 1 }), 'bad_emerg_timeout'],
    [{ type: 'hello', xid: 1, version: 0, elements: '' }, 'incompatible'],
  ])('%#', (wrong, code) => {
    expect(replyTo(openflow10.encode(wrong)).code).toBe(code);
  });
});

test('the longest message has 65,535 bytes', () => {
  const longest: Message = { type: 'echo_request', xid: 1, data: 'ab'.repeat(65527) };
  expect(decoded(openflow10.encode(longest))).toEqual(longest);
});

test('20,000 random and mutated inputs are messages or refused, and what is a message stays one', () => {
  expect(fuzzCodec(17, 20_000)).toEqual({ message: 5100, refused: 11725, broken: 3175, bugs: [] });
});
