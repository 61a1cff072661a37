import { describe, expect, test } from 'vitest';
import { targetOf, resolveSystem, type Transport } from 'culprit/kernel';
import { behavior, crash, defineSystem, send, start } from 'culprit';
import type { Session } from 'culprit/kernel';
import { Causality, hex } from 'culprit/trace';
import { play } from '../transcript.ts';

/** Writes each message to its disk, in two steps, and reports it. */
const keeper = behavior<{ seen: string[] }, { type: string }>({
  start: (ctx) => ({ seen: [`first=${String(ctx.disk.peek('first'))}`, `second=${String(ctx.disk.peek('second'))}`] }),
  receive(state, message, ctx) {
    state.seen.push(message.type);
    void ctx.disk.write('first', message.type);
    void ctx.disk.write('second', message.type);
  },
  wrote(state, key) {
    state.seen.push(`wrote ${key}`);
  },
});

const keepers = (transport: Partial<Transport>) => defineSystem({ processes: { a: keeper, b: keeper }, transport });

describe('crashes', () => {
  test('may happen between two writes', async () => {
    expect(
      await play(
        keepers({}),
        `start a
         send a {"type":"x"}
         deliver environment a
         enabled
         write a first
         crash a
         enabled
         restart a`,
      ),
    ).toMatchInlineSnapshot(`
      "
      1  a            starts                   seen: [first=undefined, second=undefined]
      2  environment  sends x to a
      3  a            gets x from environment  seen.2: x (new)
         enabled: a write first, a write second
      4  a            has written first: x     seen.3: wrote first (new)
      5  a            crashes
         enabled: nothing
      6  a            restarts                 seen: [first=x, second=undefined]
      "
    `);
  });

  test('lose messages in flight to the process, or keep them for it', async () => {
    const commands = `start a
      send a {"type":"x"}
      crash a
      restart a
      enabled`;
    expect(await play(keepers({}), commands)).toMatchInlineSnapshot(`
      "
      1  a            starts                           seen: [first=undefined, second=undefined]
      2  environment  sends x to a
      3  a            crashes; x to a is lost (crash)
      4  a            restarts                         seen: [first=undefined, second=undefined]
         enabled: nothing
      "
    `);
    expect(await play(keepers({ onCrash: { to: 'keep', from: 'keep' } }), commands)).toMatchInlineSnapshot(`
      "
      1  a            starts        seen: [first=undefined, second=undefined]
      2  environment  sends x to a
      3  a            crashes
      4  a            restarts      seen: [first=undefined, second=undefined]
         enabled: environment→a x
      "
    `);
  });

  test('lose messages in flight from the process, or let them arrive', async () => {
    const forwarder = behavior<object, { type: string }>({
      start: () => ({}),
      receive(_state, message, ctx) {
        ctx.send('b', message);
      },
    });
    const system = (from: 'drop' | 'keep') =>
      defineSystem({ processes: { a: forwarder, b: keeper }, transport: { onCrash: { to: 'drop', from } } });
    const commands = `start a
      start b
      send a {"type":"x"}
      deliver environment a
      crash a
      enabled`;
    expect(await play(system('drop'), commands)).toMatchInlineSnapshot(`
      "
      1  a            starts
      2  b            starts                           seen: [first=undefined, second=undefined]
      3  environment  sends x to a
      4  a            gets x from environment
      5  a            crashes; x to b is lost (crash)
         enabled: nothing
      "
    `);
    expect(await play(system('keep'), commands)).toMatchInlineSnapshot(`
      "
      1  a            starts
      2  b            starts                   seen: [first=undefined, second=undefined]
      3  environment  sends x to a
      4  a            gets x from environment
      5  a            crashes
         enabled: a→b x
      "
    `);
  });
});

describe('a message for an absent process', () => {
  const sender = behavior<{ back: string[] }, { type: string }>({
    start: () => ({ back: [] }),
    receive(_state, message, ctx) {
      ctx.send('worker-1', message);
    },
    returned(state, message, to) {
      state.back.push(`${message.type} to ${to}`);
    },
  });
  const joining = (toAbsent: Transport['toAbsent']) =>
    defineSystem({ processes: { sender }, kinds: { worker: () => keeper }, transport: { toAbsent } });
  const commands = `start sender
    send sender {"type":"x"}
    deliver environment sender
    enabled
    join worker-1 worker
    enabled`;

  test('is dropped', async () => {
    expect(await play(joining('drop'), commands)).toMatchInlineSnapshot(`
      "
      1  sender       starts                                                   back: []
      2  environment  sends x to sender
      3  sender       gets x from environment; x to worker-1 is lost (absent)
         enabled: nothing
      4  worker-1     joins as worker                                          seen: [first=undefined, second=undefined]
         enabled: nothing
      "
    `);
  });

  test('is kept until it joins', async () => {
    expect(await play(joining('keep'), commands)).toMatchInlineSnapshot(`
      "
      1  sender       starts                   back: []
      2  environment  sends x to sender
      3  sender       gets x from environment
         enabled: nothing
      4  worker-1     joins as worker          seen: [first=undefined, second=undefined]
         enabled: sender→worker-1 x
      "
    `);
  });

  test('is returned to the sender', async () => {
    expect(await play(joining('return'), `${commands}\nreturn sender`)).toMatchInlineSnapshot(`
      "
      1  sender       starts                                back: []
      2  environment  sends x to sender
      3  sender       gets x from environment
         enabled: sender←worker-1 x
      4  worker-1     joins as worker                       seen: [first=undefined, second=undefined]
         enabled: sender←worker-1 x
      5  sender       gets x back: worker-1 is not running  back.0: x to worker-1 (new)
      "
    `);
  });
});

test('a spawned process begins with its own event, under a name that its parent chooses', async () => {
  const parent = behavior<{ children: string[] }, { type: string }>({
    start: () => ({ children: [] }),
    receive(state, message, ctx) {
      const child = ctx.spawn('worker', { task: message.type });
      state.children.push(child);
      ctx.send(child, { type: 'go' });
    },
  });
  const worker = ({ task }: { task: string }) =>
    behavior<{ task: string; going: boolean }, { type: string }>({
      start: () => ({ task, going: false }),
      receive(state) {
        state.going = true;
      },
    });
  expect(
    await play(
      defineSystem({ processes: { parent }, kinds: { worker } }),
      `start parent
       send parent {"type":"dig"}
       deliver environment parent
       enabled
       spawn parent/worker-1
       deliver parent parent/worker-1`,
    ),
  ).toMatchInlineSnapshot(`
    "
    1  parent           starts                     children: []
    2  environment      sends dig to parent
    3  parent           gets dig from environment  children.0: parent/worker-1 (new)
       enabled: spawn parent/worker-1
    4  parent/worker-1  joins as worker            going: false, task: dig
    5  parent/worker-1  gets go from parent        going: false → true
    "
  `);
});

test('an action does several things at once', async () => {
  const system = defineSystem({
    processes: { a: keeper, b: keeper },
    actions: {
      crashFirst: (world) => [
        ...world
          .up()
          .slice(0, 1)
          .map(({ name }) => crash(name)),
        send('b', { type: 'first is down' }),
      ],
    },
  });
  expect(await play(system, `start a\nstart b\nact crashFirst\nenabled`)).toMatchInlineSnapshot(`
    "
    1  a            starts                    seen: [first=undefined, second=undefined]
    2  b            starts                    seen: [first=undefined, second=undefined]
    3  environment  does crashFirst
    4  a            crashes
    5  environment  sends first is down to b
       enabled: environment→b first is down
    "
  `);
});

test('a cut link holds its messages until it heals; the opposite direction stays open if only one is cut', async () => {
  const echo = behavior<{ got: number }, { type: string }>({
    start: () => ({ got: 0 }),
    receive(state, message, ctx) {
      state.got += 1;
      for (const peer of ctx.peers) if (ctx.from === 'environment') ctx.send(peer, message);
    },
  });
  expect(
    await play(
      defineSystem({ processes: { a: echo, b: echo } }),
      `start a
       start b
       cut a b
       send a {"type":"x"}
       deliver environment a
       enabled
       heal a b
       deliver a b`,
    ),
  ).toMatchInlineSnapshot(`
    "
    1  a            starts                   got: 0
    2  b            starts                   got: 0
    3  environment  cuts a → b, b → a
    4  environment  sends x to a
    5  a            gets x from environment  got: 0 → 1
       enabled: nothing
    6  environment  heals a → b, b → a
    7  b            gets x from a            got: 0 → 1
    "
  `);
});

test('stopping completes writes that are under way', async () => {
  expect(
    await play(
      keepers({}),
      `start a
       send a {"type":"x"}
       deliver environment a
       stop a
       restart a`,
    ),
  ).toMatchInlineSnapshot(`
    "
    1  a            starts                   seen: [first=undefined, second=undefined]
    2  environment  sends x to a
    3  a            gets x from environment  seen.2: x (new)
    4  a            stops
    5  a            restarts                 seen: [first=x, second=x]
    "
  `);
});

describe('recorded externals', () => {
  const lossy = defineSystem({ processes: { a: keeper }, faults: { losses: 1, duplicates: 1 } });
  const sent = (): Session => {
    const session = targetOf(resolveSystem(lossy)).open(1);
    void session.perform(start('a'));
    void session.perform(send('a', { type: 'x' }));
    return session;
  };

  test('can be performed again, with the same result', () => {
    const [one, again] = [sent(), targetOf(resolveSystem(lossy)).open(1)];
    for (const event of one.recording.events.since(0)) void again.perform(event);
    expect(again.recording.events.since(0)).toEqual(one.recording.events.since(0));
    expect(again.name()).toEqual(one.name());
  });

  test.each(['lose', 'duplicate'] as const)('to a message comes after its sending: %s', (kind) => {
    const session = sent();
    const [message] = session.enabled;
    if (message === undefined) throw new Error('nothing is in flight');
    void session.perform({ kind, target: hex(message) });
    expect(session.recording.events.last).toMatchObject({ kind, cause: message.cause });
    expect(new Causality(session.recording.events.since(0)).happensBefore(message.cause, 2)).toBe(true);
  });
});
