import { expect, test } from 'vitest';
import { isFault } from '../../system/without-faults.ts';
import { resolveHints } from '../../system/hints.ts';
import { send } from '../../system/externals.ts';
import { failControl, recoverControl, recovery, resetChannel } from './switch-faults.ts';

const hints = resolveHints(recovery);

test.each([failControl('s1'), recoverControl('s1'), resetChannel('s1'), resetChannel('s1', 'c1')])(
  'is a fault, so executions without faults do not have it: %j',
  (external) => expect(isFault(external, hints)).toBe(true),
);

test('what a station sends is none', () => expect(isFault(send('s1', { type: 'frame' }), hints)).toBe(false));

test('a reset recovers by itself: a recovery of control does not belong to it', () => {
  expect(recovery.fails(resetChannel('s1'))).not.toBe(recovery.recovers(recoverControl('s1')));
});
