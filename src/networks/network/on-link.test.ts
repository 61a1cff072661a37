import type { Deliver } from '../../trace/event.ts';
import { describe, expect, test } from 'vitest';
import { buildFrame } from '../frames/ethernet.ts';
import { onLink } from './on-link.ts';

const [dlSrc, dlDst] = ['00:00:5e:00:53:01', '01:80:c2:00:00:0e'];
const frameOf = (dlType: number): object => ({
  type: 'frame',
  port: 1,
  packet: buildFrame({ dlSrc, dlDst, dlType, payload: { kind: 'opaque', data: '00'.repeat(46) } }),
});

const arrival = (message: unknown, from = 's2', process = 's1'): Deliver => ({
  kind: 'deliver',
  process,
  from,
  message,
  ask: 0,
  reply: 0,
  sentMs: 0,
  cause: 0,
  hi: 0,
  lo: 0,
});

describe('a frame on a link', () => {
  test.each([
    ['LLDP', arrival(frameOf(0x88cc)), [true, true, false]],
    ['BDDP', arrival(frameOf(0x8942)), [true, true, false]],
    ['any other', arrival(frameOf(0x0800)), [true, false, true]],
    ['in the other direction', arrival(frameOf(0x0800), 's1', 's2'), [false, false, false]],
    ['a message that is none', arrival({ type: 'hello' }), [false, false, false]],
  ] as const)('%s', (_what, event, is) => {
    const kinds = [undefined, 'discovery', 'data'] as const;
    expect(kinds.map((kind) => onLink('s2', 's1', kind)(event))).toEqual(is);
  });
});
