import { behavior, defineSystem, linearizable, models, search, send, untilQuiet } from 'culprit';
import { storyLines } from 'culprit/report';
import { describe, expect, test } from 'vitest';
import { found } from '../found.ts';

type Message =
  | { type: 'write'; value: number }
  | { type: 'copy'; value: number }
  | { type: 'read' }
  | { type: 'written' }
  | { type: 'value'; value: number };

/** Answers a write at once, and informs the backup later: a read there may be stale. */
const primary = behavior<{ value: number }, Message>({
  start: () => ({ value: 0 }),
  receive(state, message, ctx) {
    if (message.type !== 'write') return;
    state.value = message.value;
    ctx.reply({ type: 'written' });
    ctx.send('backup', { type: 'copy', value: message.value });
  },
});

const backup = behavior<{ value: number }, Message>({
  start: () => ({ value: 0 }),
  receive(state, message, ctx) {
    if (message.type === 'copy') state.value = message.value;
    if (message.type === 'read') ctx.reply({ type: 'value', value: state.value });
  },
});

/** Writes 1, then reads. */
const client = behavior<{ call: number }, Message>({
  start(ctx) {
    ctx.send('primary', { type: 'write', value: 1 });
    return { call: ctx.history.call({ f: 'write', value: 1 }) };
  },
  receive(state, message, ctx) {
    if (message.type === 'written') {
      ctx.history.return(state.call);
      state.call = ctx.history.call({ f: 'read' });
      ctx.send('backup', { type: 'read' });
    }
    if (message.type === 'value') ctx.history.return(state.call, message.value);
  },
});

const processes = { primary, backup, client };
const atomic = linearizable(models.register(0));

describe('operations that clients note', () => {
  test('must be linearizable if the system says so', async () => {
    const trace = await found(defineSystem({ processes, oracles: { atomic } }));
    expect(trace.verdict).toMatchObject({ verdict: 'violated', oracle: 'atomic', processes: ['client'] });
    expect(`\n${storyLines(trace.events).join('\n')}\n`).toMatchInlineSnapshot(`
      "
        1  primary  starts                                                    value: 0
        2  backup   starts                                                    value: 0
        3  client   starts; calls write(1)                                    call: 1
        4  primary  gets write (value 1) from client                          value: 0 → 1
        5  client   gets written from primary; its call 1 returns; calls read  call: 1 → 2
        6  backup   gets read from client
        7  backup   gets copy (value 1) from primary                          value: 0 → 1
        8  client   gets value (value 0) from backup; its call 2 returns 0
      "
    `);
    expect((trace.verdict as { message: string }).message).toMatchInlineSnapshot(
      `"client read → 0 fits nowhere: after client write(1) the state is 1"`,
    );
  });

  test('end an execution where the violation is certain, regardless of later events', async () => {
    const workload = [untilQuiet(), send('backup', { type: 'read' })];
    const { events } = await found(defineSystem({ processes, workload, oracles: { atomic } }));
    expect(events.map(({ kind }) => kind)).not.toContain('send');
    expect(events.at(-1)?.history).toEqual([{ return: 2, output: 0 }]);
  });

  test('are judged in the order in which one handler notes them', async () => {
    // The write returns and the read is called in one event: they are not concurrent.
    const writer = behavior<object, Message>({
      start(ctx) {
        const write = ctx.history.call({ f: 'write', value: 1 });
        ctx.history.return(write);
        ctx.history.return(ctx.history.call({ f: 'read' }), 0);
        return {};
      },
      receive: () => undefined,
    });
    const { verdict } = await found(defineSystem({ processes: { writer }, oracles: { atomic } }));
    expect(verdict).toMatchObject({ oracle: 'atomic' });
  });

  test('that fail are violated only from then on, if their effect was seen', async () => {
    const writer = behavior<{ call: number }, Message>({
      start(ctx) {
        ctx.send('reader', { type: 'read' });
        ctx.setTimer('give up', 10);
        return { call: ctx.history.call({ f: 'write', value: 1 }) };
      },
      receive: () => undefined,
      timer(state, _timer, ctx) {
        ctx.history.fail(state.call);
      },
    });
    const reader = behavior<object, Message>({
      start: () => ({}),
      receive(_state, _message, ctx) {
        ctx.history.return(ctx.history.call({ f: 'read' }), 1);
      },
    });
    const { verdict, events } = await found(defineSystem({ processes: { writer, reader }, oracles: { atomic } }));
    expect(verdict).toMatchObject({ message: 'reader read → 1 fits nowhere: at the start the state is 0' });
    expect(events.map(({ kind }) => kind)).toEqual(['start', 'start', 'deliver', 'fire']);
  });

  test('of several objects are judged separately, and failed ones had no effect', async () => {
    const writer = behavior<object, Message>({
      start(ctx) {
        ctx.history.return(ctx.history.call({ f: 'put', value: 1 }, 'x'));
        ctx.history.return(ctx.history.call({ f: 'get' }, 'y'), null);
        ctx.history.fail(ctx.history.call({ f: 'put', value: 2 }, 'x'));
        ctx.history.return(ctx.history.call({ f: 'get' }, 'x'), 1);
        return {};
      },
      receive: () => undefined,
    });
    const oracles = { atomic: linearizable(models.keyValue) };
    const { findings, unknown } = await search(defineSystem({ processes: { writer }, oracles }), { executions: 3 });
    expect({ findings, unknown }).toEqual({ findings: [], unknown: 0 });
  });

  test('are undecided if the budget is too small', async () => {
    const oracles = { atomic: linearizable(models.register(0), { stepsMax: 1 }) };
    const { findings, unknown } = await search(defineSystem({ processes, oracles }), { executions: 10 });
    expect({ findings, unknown }).toEqual({ findings: [], unknown: 10 });
  });

  test('cannot return twice', async () => {
    const writer = behavior<object, Message>({
      start(ctx) {
        const read = ctx.history.call({ f: 'read' });
        ctx.history.return(read, 0);
        ctx.history.return(read, 0);
        return {};
      },
      receive: () => undefined,
    });
    await expect(search(defineSystem({ processes: { writer } }))).rejects.toThrow(
      'writer ends call 1, but its open calls are none.',
    );
  });
});
