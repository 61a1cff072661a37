import { behavior, crash, defineSystem, restart, send, start, type System } from 'culprit';
import { targetOf, resolveSystem, type AnyBehavior, type Guarantees, type Session } from 'culprit/kernel';
import { describe, expect, onTestFinished, test } from 'vitest';

/** What a message asks the process under test to do. */
export type Order =
  | { readonly do: 'set'; readonly to: number }
  | { readonly do: 'send'; readonly message: unknown }
  /** Sends the message, and changes it afterward. */
  | { readonly do: 'send and change'; readonly message: { n: number } }
  /** Changes the message itself. */
  | { do: 'change'; n: number }
  | { readonly do: 'await'; readonly to: number }
  | { readonly do: 'throw' }
  /** Sends between two events. */
  | { readonly do: 'send later'; readonly ms: number; readonly message: unknown }
  | { readonly do: 'exit' };

/** A way to make processes of a host. */
export interface HostUnderTest {
  readonly name: string;
  readonly guarantees: Guarantees;
  /** A process that does what it is asked, sends to `peer`, shows `{ value }`, and notes its calls: start, take, close. */
  make(calls: string[]): AnyBehavior;
  /** Whether the code of the process sees the end of its life. */
  readonly seesItsEnd: boolean;
  /** What the process sends to `peer` when it is closed, if it can. */
  readonly lastWord?: unknown;
}

/** Remembers what it got. */
const peer = behavior<{ got: unknown[] }, unknown>({
  start: () => ({ got: [] }),
  receive(state, message) {
    state.got.push(message);
  },
});

/** The checks that every host passes. Those that a host cannot be asked are listed too, with the guarantee that says why. */
export function testHost(host: HostUnderTest): void {
  describe(`the host ${host.name}`, () => {
    checkLife(host);
    checkMessages(host);
    checkReactions(host);
    checkSideBySide(host);
    if (host.guarantees.controlled) {
      doesNotApply(host, 'what is sent between two events', 'controlled');
      doesNotApply(host, 'an unasked exit', 'controlled');
    } else {
      checkSpontaneous(host);
      checkExit(host);
    }
  });
}

function doesNotApply({ guarantees }: HostUnderTest, what: string, because: keyof Guarantees): void {
  test(`does not apply: ${what}, because the host guarantees ${because}`, () => {
    expect(guarantees[because]).toBe(true);
  });
}

const systemOf = (node: AnyBehavior, onCrash: 'keep' | 'drop' = 'keep'): System =>
  defineSystem({ processes: { node, peer }, transport: { order: 'fifo', onCrash: { from: onCrash } } });

interface Bench {
  readonly session: Session;
  readonly calls: string[];
  /** Gives the order to the process. */
  readonly order: (order: Order) => Promise<void>;
  /** What the peer got, after all that is enabled has happened. */
  readonly got: () => Promise<readonly unknown[]>;
}

async function benchOf(host: HostUnderTest, onCrash: 'keep' | 'drop' = 'keep'): Promise<Bench> {
  const calls: string[] = [];
  const session = targetOf(resolveSystem(systemOf(host.make(calls), onCrash))).open(1);
  onTestFinished(() => session.close());
  await session.perform(start('node'));
  await session.perform(start('peer'));
  return {
    session,
    calls,
    async order(order) {
      await session.perform(send('node', order));
      await session.perform(session.enabled.find(({ process }) => process === 'node') as never);
    },
    async got() {
      for (let [next] = session.enabled; next !== undefined; [next] = session.enabled) await session.perform(next);
      return session.world.process('peer').state === undefined ? [] : gotIn(session);
    },
  };
}

const gotIn = ({ world }: Session): readonly unknown[] => (world.process('peer').state as { got: unknown[] }).got;
const valueIn = ({ world }: Session): unknown => world.process('node').state;

function checkLife(host: HostUnderTest): void {
  test('guarantees what it declares', async () => {
    const { session } = await benchOf(host);
    expect(session.guarantees).toEqual(host.guarantees);
    expect(session.fork !== undefined).toBe(host.guarantees.forkable);
    expect(session.wait !== undefined).toBe(!host.guarantees.controlled);
  });

  const unseen = host.seesItsEnd ? '' : ' (its code does not see the end of a life)';
  test(`starts, takes messages, crashes, starts again and is closed: one call each, in order${unseen}`, async () => {
    const { session, calls, order } = await benchOf(host);
    await order({ do: 'set', to: 1 });
    await session.perform(crash('node'));
    await session.perform(restart('node'));
    await order({ do: 'set', to: 2 });
    await session.close();
    await session.close();
    const expected = ['start', 'take', 'close', 'start', 'take', 'close'];
    expect(calls).toEqual(host.seesItsEnd ? expected : expected.filter((call) => call !== 'close'));
  });

  test('forgets its state in a crash', async () => {
    const { session, order } = await benchOf(host);
    await order({ do: 'set', to: 7 });
    await session.perform(crash('node'));
    expect(valueIn(session)).toBeUndefined();
    await session.perform(restart('node'));
    expect(valueIn(session)).toEqual({ value: 0 });
  });
}

function checkMessages(host: HostUnderTest): void {
  test('shows plain data that is current', async () => {
    const { session, order } = await benchOf(host);
    expect(valueIn(session)).toEqual({ value: 0 });
    await order({ do: 'set', to: 7 });
    expect(valueIn(session)).toEqual({ value: 7 });
    expect(structuredClone(valueIn(session))).toEqual({ value: 7 });
  });

  test('sends copies', async () => {
    const { order, got } = await benchOf(host);
    await order({ do: 'send and change', message: { n: 1 } });
    expect(await got()).toEqual([{ n: 1 }]);
  });

  test('gets copies', async () => {
    const { session, order } = await benchOf(host);
    const given: Order = { do: 'change', n: 1 };
    await order(given);
    expect(given).toEqual({ do: 'change', n: 1 });
    const delivered = session.recording.events.since(0).find((event) => event.kind === 'deliver');
    expect(delivered).toMatchObject({ message: { do: 'change', n: 1 } });
  });
}

function checkReactions(host: HostUnderTest): void {
  test('its promises are awaited', async () => {
    const { session, order, got } = await benchOf(host);
    await order({ do: 'await', to: 5 });
    await got();
    expect(valueIn(session)).toEqual({ value: 5 });
  });

  test('an exception crashes the process, and is a violation', async () => {
    const { session, order } = await benchOf(host);
    await order({ do: 'throw' });
    // A program of its own ends a little later.
    if (session.world.failure === undefined) await session.wait?.({ ms: 60_000 });
    const error = { message: expect.stringContaining('thrown on purpose') as string };
    expect(session.world.failure).toMatchObject({ process: 'node', error });
    expect(session.world.process('node').up).toBe(false);
    expect(session.refusal(restart('node'))).toBeUndefined();
  });
}

function checkSideBySide(host: HostUnderTest): void {
  test('sessions side by side do not disturb each other', async () => {
    const [one, other] = [await benchOf(host), await benchOf(host)];
    await Promise.all([one.order({ do: 'set', to: 1 }), other.order({ do: 'set', to: 2 })]);
    await Promise.all([one.order({ do: 'send', message: 'one' }), other.order({ do: 'send', message: 'other' })]);
    expect([valueIn(one.session), valueIn(other.session)]).toEqual([{ value: 1 }, { value: 2 }]);
    expect(await one.got()).toEqual(['one']);
    await one.session.close();
    expect(await other.got()).toEqual(['other']);
  });
}

/** Orders a message that is sent after the event, and says after how many milliseconds: more of them on a busy machine. */
async function orderLater({ session, order, got }: Bench, message: string): Promise<number> {
  for (let ms = 20; ; ms *= 4) {
    await order({ do: 'send later', ms, message });
    if (session.enabled.length === 0) return ms;
    await got();
  }
}

function checkSpontaneous(host: HostUnderTest): void {
  test('what it sends between two events arrives with a wait, and never while a strategy looks', async () => {
    const bench = await benchOf(host);
    const { session, got } = bench;
    await orderLater(bench, 'late');
    const before = session.enabled;
    expect(before).toEqual([]);
    expect(await session.wait?.({ ms: 60_000 })).toBe('arrived');
    expect(before).toEqual([]);
    expect(session.enabled).toMatchObject([{ kind: 'deliver', process: 'peer', from: 'node', message: 'late' }]);
    // Caused by the last event of its process.
    expect(session.enabled[0]?.cause).toBe(session.world.length - 1);
    expect((await got()).at(-1)).toBe('late');
  });

  test('nothing that it sends after it was closed counts', async () => {
    const bench = await benchOf(host);
    const { session, got } = bench;
    const ms = await orderLater(bench, 'too late');
    await session.perform(crash('node'));
    const crashedMs = session.nowMs;
    await session.perform(restart('node'));
    await session.wait?.({ ms: 2 * ms, matching: () => false });
    expect(sentAfter(session, crashedMs)).toEqual([]);
    await got();
    await orderLater(bench, 'too late');
    await session.close();
    const closedMs = session.nowMs;
    expect(await session.wait?.({ ms: 100 })).toBe('ended');
    expect(sentAfter(session, closedMs)).toEqual([]);
  });

  const { lastWord } = host;
  if (lastWord === undefined) return;
  test.each(['keep', 'drop'] as const)('the transport says whether its last word counts: %s', async (onCrash) => {
    const { session, got } = await benchOf(host, onCrash);
    await session.perform(crash('node'));
    expect(await got()).toEqual(onCrash === 'keep' ? [lastWord] : []);
  });
}

const sentAfter = ({ enabled }: Session, ms: number): readonly unknown[] =>
  enabled.filter((event) => event.kind === 'deliver' && event.sentMs > ms);

function checkExit(host: HostUnderTest): void {
  test('an unasked exit crashes the process, is a violation, and lets it restart', async () => {
    const { session, order } = await benchOf(host);
    await order({ do: 'exit' });
    if (session.world.failure === undefined) await session.wait?.({ ms: 60_000 });
    expect(session.world.failure?.process).toBe('node');
    expect(session.world.process('node').up).toBe(false);
    await session.perform(restart('node'));
    expect(session.world.process('node').up).toBe(true);
  });
}
