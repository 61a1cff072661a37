import { expect, test } from 'vitest';
import type { Message } from '../openflow/messages.ts';
import { versionProblem } from './versions.ts';

const hello = (elements: string): Message => ({ type: 'hello', xid: 1, version: 4, elements });

/** An element of a type that no version has: 5 bytes, padded to 8. */
const UNKNOWN = '00090005ff000000';

test.each([
  ['no element', ''],
  ['1.0 and 1.3', '0001000800000012'],
  ['an unknown element before', `${UNKNOWN}0001000800000012`],
  ['an element of no length', '0009000000000000'],
  ['half an element', '000100'],
])('a hello with %s is no problem', (_name, elements) => {
  expect(versionProblem('c1', hello(elements))).toBeUndefined();
});

test.each([
  ['0001000800000010', 'c1 speaks OpenFlow 1.3 only, and the switches of culprit speak 1.0.'],
  [`${UNKNOWN}0001000800000050`, 'c1 speaks OpenFlow 1.3, 1.5 only, and the switches of culprit speak 1.0.'],
  ['0001000880000000', 'c1 speaks OpenFlow version 31 only, and the switches of culprit speak 1.0.'],
])('a hello with %s is a problem', (elements, sentence) => {
  expect(versionProblem('c1', hello(elements))?.message).toBe(sentence);
});

test('a hello that failed is a problem, and other errors are none', () => {
  const error = { type: 'error', xid: 1, error: 'hello_failed', code: 'incompatible', data: '' } as const;
  expect(versionProblem('c1', error)?.message).toMatch(/^c1 refuses OpenFlow 1\.0/);
  expect(versionProblem('c1', { ...error, error: 'bad_request', code: 'bad_type' })).toBeUndefined();
});
