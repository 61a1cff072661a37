/** Messages that the standard does not allow, and the error that answers each. */
export interface BadMessage {
  readonly name: string;
  readonly bytes: Buffer;
  readonly error: string;
  readonly code: string;
}

/** A message of OpenFlow 1.0 with these bytes after its header; its number is 9. */
export function rawMessage(type: number, body: string, version = 1): Buffer {
  const length = 8 + body.length / 2;
  return Buffer.concat([
    Buffer.from([version, type, length >> 8, length & 0xff, 0, 0, 0, 9]),
    Buffer.from(body, 'hex'),
  ]);
}

const zeros = (count: number): string => '00'.repeat(count);

/** A flow_mod with the bytes of an action. */
const withAction = (action: string): Buffer => rawMessage(14, zeros(64) + action);

const bad =
  (error: string) =>
  (code: string, name: string, bytes: Buffer): BadMessage => ({ name, bytes, error, code });
const [badRequest, badAction, flowModFailed] = [bad('bad_request'), bad('bad_action'), bad('flow_mod_failed')];

const enqueueToAll = '000b0010fffc0000'.padEnd(32, '0');
const propertyTooLong = `${zeros(12)}00100000000100180000`;

export const badMessages: readonly BadMessage[] = [
  badRequest('bad_version', 'another version', rawMessage(5, '', 4)),
  badRequest('bad_type', 'an unknown type', rawMessage(22, '')),
  badRequest('bad_stat', 'unknown statistics', rawMessage(16, '00060000')),
  badRequest('bad_stat', 'unknown statistics in a reply', rawMessage(17, '00ff0000')),
  badRequest('bad_len', 'a fixed part that is too short', rawMessage(14, zeros(63))),
  badRequest('bad_len', 'a header with something after it', rawMessage(18, zeros(4))),
  badRequest('bad_len', 'vendor without a number', rawMessage(4, zeros(3))),
  badRequest('bad_len', 'statistics of a vendor without a number', rawMessage(16, 'ffff0000')),
  badRequest('bad_len', 'half a port', rawMessage(6, zeros(24 + 24))),
  badRequest('bad_len', 'a flow that is longer than its message', rawMessage(17, `00010000ffff${zeros(86)}`)),
  badRequest('bad_len', 'a flow of length 0', rawMessage(17, `00010000${zeros(88)}`)),
  badRequest('bad_len', 'a queue of length 0', rawMessage(21, zeros(8 + 8))),
  badRequest('bad_len', 'a property of a queue that is too long', rawMessage(21, propertyTooLong)),
  badRequest('bad_type', 'an unknown reason of packet_in', rawMessage(10, `${zeros(8)}0200`)),
  badRequest('bad_type', 'an unknown reason of port_status', rawMessage(12, `03${zeros(55)}`)),
  badAction('bad_len', 'an action of length 0', withAction('0000000000010000')),
  badAction('bad_len', 'an action of length 12', withAction('0000000c00010000')),
  badAction('bad_len', 'an action past the end', withAction('0000001000010000')),
  badAction('bad_len', 'an action of 4 bytes', withAction('00000004')),
  badAction('bad_len', 'output of 16 bytes', withAction(`0000001000010000${zeros(8)}`)),
  badRequest('bad_len', 'actions past the end', rawMessage(13, 'ffffffff00010008')),
  badAction('bad_type', 'an unknown action', withAction('000c000800000000')),
  badAction('bad_out_port', 'output to port 0', withAction('0000000800000000')),
  badAction('bad_out_port', 'output to a port above the highest', withAction('00000008ff010000')),
  badAction('bad_out_port', 'output to no port', withAction('00000008ffff0000')),
  badAction('bad_out_port', 'a queue of all ports', withAction(enqueueToAll)),
  badAction('bad_argument', 'VLAN 4096', withAction('0001000810000000')),
  badAction('bad_argument', 'VLAN priority 8', withAction('0002000808000000')),
  badAction('bad_argument', 'the low bits of the type of service', withAction('0008000801000000')),
  flowModFailed('bad_command', 'an unknown command', rawMessage(14, `${zeros(49)}05${zeros(14)}`)),
  flowModFailed(
    'bad_emerg_timeout',
    'an emergency entry with a timeout',
    rawMessage(14, `${zeros(50)}0001${zeros(10)}0004`),
  ),
];
