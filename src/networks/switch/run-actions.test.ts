import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setField } from '../../../test/twins/networks/arbitrary-flows.ts';
import { arbitraryFrame } from '../../../test/twins/networks/arbitrary-frame.ts';
import { slowAction } from '../../../test/twins/networks/slow-switch.ts';
import { buildFrame, parseFrame } from '../frames/ethernet.ts';
import type { Frame, Ipv4 } from '../frames/frame.ts';
import type { Action, Port } from '../openflow/messages.ts';
import { runActions, type ActionPort } from './run-actions.ts';

const port = (portNo: Port, ...config: ActionPort['config']): ActionPort => ({ portNo, config, state: [] });
const ports: readonly ActionPort[] = [
  port(1),
  port(2),
  port(3, 'no_flood'),
  port(4, 'no_fwd'),
  port(5, 'port_down'),
  { ...port(6), state: ['link_down'] },
];
const output = (to: Port, maxLen = 0): Action => ({ type: 'output', port: to, maxLen });

/** In the first fragment, the checksum is in bytes that are opaque for the slow switch. */
const isFirstFragment = ({ payload }: Frame): boolean =>
  payload.kind === 'ipv4' && payload.fragmentOffset === 0 && payload.flags.includes('more_fragments');

test('random actions change random frames as those of the slow switch, and all checksums are right', () => {
  let changed = 0;
  fc.assert(
    fc.property(
      arbitraryFrame.filter((frame) => !isFirstFragment(frame)),
      fc.array(setField, { minLength: 1, maxLength: 4 }),
      (frame, actions) => {
        const packet = buildFrame(frame);
        const [first] = runActions([...actions, output(2)], packet, 1, ports);
        expect(first).toEqual({ port: 2, packet: buildFrame(actions.reduce(slowAction, frame)) });
        if (first?.packet !== packet) changed++;
      },
    ),
    { numRuns: 5000, seed: 3 },
  );
  expect(changed).toBe(3713);
});

const udp: Ipv4 = {
  kind: 'ipv4',
  nwSrc: '192.0.2.1',
  nwDst: '192.0.2.2',
  nwTos: 0,
  nwProto: 17,
  ttl: 64,
  id: 7,
  flags: [],
  fragmentOffset: 0,
  payload: { kind: 'udp', tpSrc: 1, tpDst: 2, data: '616263' },
};
const frame: Frame = { dlDst: '00:00:5e:00:53:02', dlSrc: '00:00:5e:00:53:01', dlType: 0x0800, payload: udp };
const packet = buildFrame(frame);

/** The packet that leaves after this action. */
function after(action: Action, from: Frame): Frame | undefined {
  const [first] = runActions([action, output(2)], buildFrame(from), 1, ports);
  return parseFrame(first?.packet ?? '');
}

describe('checksums', () => {
  const toElsewhere: Action = { type: 'set_nw_dst', nwAddr: '198.51.100.7' };

  test('of UDP that are not there stay so', () => {
    const without: Frame = {
      ...frame,
      payload: { ...udp, payload: { kind: 'udp', tpSrc: 1, tpDst: 2, data: '61', checksum: 0 } },
    };
    expect(after(toElsewhere, without)).toEqual({
      ...without,
      payload: { ...without.payload, nwDst: '198.51.100.7' },
    });
  });

  test('of UDP that would be 0 are the other number for zero', () => {
    // With this port, the words sum up to 0xffff.
    const tpDst = 46960;
    const [first] = runActions([{ type: 'set_tp_dst', tpPort: tpDst }, output(2)], packet, 1, ports);
    expect(Buffer.from(first?.packet ?? '', 'hex').readUInt16BE(40)).toBe(0xffff);
    expect(after({ type: 'set_tp_dst', tpPort: tpDst }, frame)?.payload).toEqual({
      ...udp,
      payload: { ...udp.payload, tpDst },
    });
  });

  test('that are wrong stay wrong by the same difference', () => {
    const wrong = Buffer.from(packet, 'hex');
    const at = 14 + 10;
    wrong.writeUInt16BE(wrong.readUInt16BE(at) + 5, at);
    const [first] = runActions([toElsewhere, output(2)], wrong.toString('hex'), 1, ports);
    const right = Buffer.from(runActions([toElsewhere, output(2)], packet, 1, ports)[0]?.packet ?? '', 'hex');
    right.writeUInt16BE(right.readUInt16BE(at) + 5, at);
    expect(first?.packet).toBe(right.toString('hex'));
  });

  test('in a first fragment are updated, and those places in later ones are data', () => {
    const bytes = Buffer.from(packet, 'hex').toString('hex', 34);
    const fragment = (flags: Ipv4['flags'], fragmentOffset: number): Frame => ({
      ...frame,
      payload: { ...udp, flags, fragmentOffset, payload: { kind: 'opaque', data: bytes } },
    });
    const whole = after(toElsewhere, frame) as Frame;
    const wholeBytes = Buffer.from(buildFrame(whole), 'hex').toString('hex', 34);
    expect(after(toElsewhere, fragment(['more_fragments'], 0))?.payload).toMatchObject({
      payload: { data: wholeBytes },
    });
    expect(after(toElsewhere, fragment([], 1))?.payload).toMatchObject({ payload: { data: bytes } });
    expect(wholeBytes).not.toBe(bytes);
  });
});

describe('a packet from port 1 leaves', () => {
  test.each<[Port, readonly (number | string)[]]>([
    [2, [2]],
    [1, []],
    [9, []],
    [4, []],
    [5, []],
    [6, []],
    ['in_port', [1]],
    ['flood', [2]],
    ['all', [2, 3]],
    ['local', ['local']],
    ['controller', ['controller']],
    ['table', ['table']],
    ['none', []],
  ])('by an output to %s through %j', (to, through) => {
    expect(runActions([output(to)], packet, 1, ports)).toEqual(
      through.map((out) => ({ port: out, packet, ...(out === 'controller' ? { maxLen: 0 } : {}) })),
    );
  });

  test('by an enqueue, like an output', () => {
    const enqueue = (to: Port): Action => ({ type: 'enqueue', port: to, queueId: 7 });
    expect(runActions([enqueue(2), enqueue(1), enqueue('in_port')], packet, 1, ports)).toEqual([
      { port: 2, packet },
      { port: 1, packet },
    ]);
  });

  test('as it is at that place of the list', () => {
    const outputs = runActions(
      [output(2), { type: 'set_vlan_vid', vlanVid: 5 }, output('controller', 64), { type: 'strip_vlan' }, output(3)],
      packet,
      1,
      ports,
    );
    expect(outputs).toEqual([
      { port: 2, packet },
      { port: 'controller', maxLen: 64, packet: buildFrame({ ...frame, vlan: { id: 5, pcp: 0, dei: false } }) },
      { port: 3, packet },
    ]);
  });

  test('not at all without actions', () => {
    expect(runActions([], packet, 1, ports)).toEqual([]);
  });
});
