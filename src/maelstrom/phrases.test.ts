import { expect, test } from 'vitest';
import { maelstromPhrases } from './phrases.ts';

const phrases = maelstromPhrases(['c1']);
const between = { problems: [{ node: 'n1', text: 'did not answer init', kind: 'no init_ok' }], final: { n1: [1] } };

test('messages are named without their numbers, and what is no body has the usual name', () => {
  expect(phrases.messageName?.({ type: 'read_ok', in_reply_to: 4, messages: [1, 2] })).toBe('read_ok (messages [1,2])');
  expect(phrases.messageName?.({ type: 'read', msg_id: 3 })).toBe('read');
  expect(phrases.messageName?.('hello')).toBeUndefined();
});

test('of the control process, new final states and problems are told; of clients, problems alone; of nodes, what changed', () => {
  expect(phrases.changes?.(undefined, between, 'c0')).toEqual(['n1 did not answer init', 'n1 has [1]']);
  const after = { ...between, final: { n1: [1], n2: [] }, nextId: 7 };
  expect(phrases.changes?.(between, after, 'c0')).toEqual(['n2 has []']);
  expect(phrases.changes?.(between, after, 'c1')).toEqual([]);
  expect(phrases.changes?.(between, after, 'n1')).toBeUndefined();
});
