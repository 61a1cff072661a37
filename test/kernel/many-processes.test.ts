import { expect, test } from 'vitest';
import { targetOf, resolveSystem, Observer, pendingLines, Random, send, start, type Session } from 'culprit/kernel';
import { behavior, defineSystem, replay, type System } from 'culprit';
import { hex, type External, type Internal, type Trace } from 'culprit/trace';

const hub = behavior({
  start: () => ({ greetings: 0 }),
  receive(state: { greetings: number }) {
    state.greetings += 1;
  },
});

const guest = behavior({
  start(ctx) {
    ctx.send('hub', 'hello');
    return {};
  },
  receive() {},
});

const party = defineSystem({ processes: { hub }, kinds: { guest: () => guest } });

/** An execution by hand, and its trace. */
async function executed(system: System, moves: number, next: (session: Session, at: number) => Internal | External) {
  const session = targetOf(resolveSystem(system)).open(1);
  const observer = new Observer();
  const events = [];
  for (let at = 0; at < moves; at++) {
    await session.perform(next(session, at));
    events.push(...observer.observe(session));
  }
  const trace: Trace = {
    header: {
      trace: 'culprit',
      format: '1.8',
      culprit: '0.1.0',
      system: 'system',
      module: null,
      parameters: {},
      seed: 1,
      options: { strategy: 'step', eventsMax: moves },
      events: events.length,
    },
    events,
    pending: pendingLines(session),
    verdict: { verdict: 'holds', name: hex(session.name()), ending: 'finished' },
  };
  return { session, trace };
}

// A table of all pairs of processes, scanned at every start, would take hours.
test('ten thousand processes join, send, and are replayed', async () => {
  const { session, trace } = await executed(party, 20_001, ({ enabled }, at) => {
    if (at === 0) return start('hub');
    return at % 2 === 1 ? start(`guest-${at}`, 'guest') : (enabled[0] as Internal);
  });
  expect(session.world.process('hub').state).toEqual({ greetings: 10_000 });
  expect(session.world.pending).toEqual([]);
  expect((await replay(party, trace)).events.length).toBe(20_001);
});

const CHATTERS = 100;

/** Sends to the named processes, and sometimes sets or cancels a timer. */
const chatter = behavior({
  start: () => ({}),
  receive(_state: object, to: readonly number[], ctx) {
    for (const name of to) ctx.send(`p${name}`, []);
    if (to.length === 1) ctx.setTimer(`t${to[0]}`, 10);
    if (to.length === 2) ctx.cancelTimer(`t${to[0]}`);
  },
  timer() {},
});

const chat = defineSystem({
  processes: Object.fromEntries(Array.from({ length: CHATTERS }, (_, at) => [`p${at}`, chatter])),
});

/** The order of the list: messages by receiver and then sender, before timers by process. */
const rankOf = (event: Internal): number => {
  const place = (name: string): number => (name === 'environment' ? -1 : Number(name.slice(1)));
  if (event.kind === 'deliver') return place(event.process) * 1000 + place(event.from) + 1;
  return 1e6 + place(event.process);
};

test('enabled events are listed by receiver and sender, for any number of channels', async () => {
  const random = Random.seeded(7, 7);
  const anyone = (): number => random.below(CHATTERS);
  const lists: (readonly Internal[])[] = [];
  await executed(chat, 4_000, (session, at) => {
    if (at < CHATTERS) return start(`p${at}`);
    // A link is cut and healed, so the list is rebuilt.
    if (at % 20 === 0) return { kind: 'cut', links: [[`p${anyone()}`, `p${anyone()}`]] };
    if (at % 20 === 1) return { kind: 'heal', links: [] };
    if (at % 20 === 2) lists.push([...session.enabled]);
    if (at % 3 === 0 || session.enabled.length === 0)
      return send(`p${anyone()}`, Array.from({ length: random.below(4) }, anyone));
    return random.pick(session.enabled);
  });
  expect(lists.length).toBe(195);
  expect(Math.max(...lists.map(({ length }) => length))).toBeGreaterThan(100);
  for (const list of lists) {
    expect(list).toEqual([...list].sort((one, other) => rankOf(one) - rankOf(other)));
    expect(new Set(list).size).toBe(list.length);
  }
});
