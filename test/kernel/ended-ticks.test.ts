import { createHook } from 'node:async_hooks';
import { behavior, defineSystem, search, send } from 'culprit';
import { expect, onTestFinished, test } from 'vitest';

/** Queues itself again and again, so that the event loop never has a turn. */
const endless = (): void => {
  process.nextTick(endless);
};

/** Async hooks make Node check its stack of async contexts after every callback. */
function enableAsyncHooks(): void {
  const hook = createHook({ before() {}, after() {} }).enable();
  onTestFinished(() => void hook.disable());
}

test.each([
  ['where async hooks are on', enableAsyncHooks],
  ['where async hooks are off', () => undefined],
])('ticks of a handler that was ended do not go on, and Node does not abort, %s', async (_where, prepare) => {
  prepare();
  const hanging = behavior({ start: () => ({}), receive: endless });
  const system = defineSystem({ processes: { a: hanging }, workload: [send('a', 'go')], invariants: {} });
  // Whether a tick is queued at the moment when the code is ended is a matter of luck.
  for (let times = 0; times < 5; times++) {
    const { findings } = await search(system, { executions: 1, handlerMs: 40 });
    expect(findings[0]?.trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'handlerReturns' });
  }
});
