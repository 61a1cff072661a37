import { behavior, send, start } from 'culprit';
import type { Transport } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';
import { enabled, idle, open, perform } from '../twins/scripted.ts';

const greeter = behavior<object, string>({
  start(ctx) {
    ctx.send('b', 'hello');
    return {};
  },
  receive() {},
});

const parent = behavior<object, string>({
  start(ctx) {
    ctx.send(ctx.spawn('worker'), 'hello');
    return {};
  },
  receive() {},
});

describe.each<Transport['toAbsent']>(['drop', 'keep', 'return'])('if absent means %s, a message waits', (toAbsent) => {
  test('for a declared process that has not started', async () => {
    const session = open({ processes: { a: greeter, b: idle }, transport: { toAbsent } });
    await perform(session, start('a'), send('b', 'from outside'));
    expect(enabled(session)).toEqual([]);
    await perform(session, start('b'));
    expect(enabled(session)).toEqual(['deliver b from outside', 'deliver b hello']);
  });

  test('for a spawned process that has not begun', async () => {
    const session = open({ processes: { a: parent }, kinds: { worker: () => idle }, transport: { toAbsent } });
    await perform(session, start('a'));
    expect(enabled(session)).toEqual(['spawn a/worker-1']);
    await perform(session, 'spawn a/worker-1');
    expect(enabled(session)).toEqual(['deliver a/worker-1 hello']);
  });
});
