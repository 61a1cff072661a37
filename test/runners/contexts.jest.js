import { expect, test } from '@jest/globals';
import { behavior, defineSystem, search, send } from 'culprit';

// Run by Jest, which gives every test file its own globals: objects that Node makes are of another realm there.

/**
 * The verdict on a system of one process.
 *
 * @param {Partial<import('culprit').Behavior<object, string>>} handlers
 * @param {import('culprit/kernel').SearchOptions} [options]
 */
async function verdictOn(handlers, options) {
  const a = behavior({ start: () => ({}), receive() {}, ...handlers });
  const system = defineSystem({ processes: { a }, workload: [send('a', 'x')] });
  const { findings } = await search(system, { executions: 20, ...options });
  const verdict = findings[0]?.trace.verdict;
  return verdict?.verdict === 'violated' ? verdict.message : 'holds';
}

test('a handler that does not return is ended', async () => {
  const handlers = {
    receive() {
      for (;;);
    },
  };
  expect(await verdictOn(handlers, { handlerMs: 200 })).toBe('a did not return from event 3 (deliver)');
});

test('also after an await, and Jest survives', async () => {
  const a = behavior({
    start: () => ({}),
    async receive(_state, _message, ctx) {
      await ctx.sleep(1);
      for (;;);
    },
  });
  expect(await verdictOn(a, { handlerMs: 200 })).toBe('a did not return from event 4 (complete)');
});

test('a result of structuredClone is plain data', async () => {
  const copy = structuredClone({ map: new Map([['a', new Set([1])]]), list: [{ deep: {} }] });
  expect(Object.getPrototypeOf(copy)).not.toBe(Object.prototype);
  expect(await verdictOn({ start: () => copy })).toBe('holds');
});

test('an error of Node is shown as elsewhere', async () => {
  const message = 'The "size" argument must be of type number. Received type string (\'much\')';
  const handlers = {
    receive() {
      Buffer.alloc(/** @type {never} */ ('much'));
    },
  };
  expect(await verdictOn(handlers)).toBe(`a threw TypeError: ${message}`);
});
