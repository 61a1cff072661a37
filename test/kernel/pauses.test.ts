import { behavior, check, crash, defineSystem, pause, restart, resume, search, send, start } from 'culprit';
import { resolveSystem, targetOf, type Session } from 'culprit/kernel';
import { expect, test } from 'vitest';

interface Notes {
  readonly notes: string[];
}

const noting = behavior<Notes, string>({
  start(ctx) {
    ctx.setTimer('alarm', 10);
    void ctx.disk.write('starts', Number(ctx.disk.peek('starts') ?? 0) + 1);
    return { notes: [`start ${Number(ctx.disk.peek('starts') ?? 0)}`] };
  },
  receive: (state, message) => void state.notes.push(message),
  timer: (state, timer) => void state.notes.push(timer),
});

function opened(): Session {
  const session = targetOf(resolveSystem(defineSystem({ processes: { a: noting, b: noting } }))).open(1);
  for (const name of ['a', 'b']) void session.perform(start(name));
  return session;
}

const kindsAt = ({ enabled }: Session, name: string): string[] =>
  enabled.filter(({ process }) => process === name).map(({ kind }) => kind);

const notesOf = ({ world }: Session): unknown => world.process('a').state;

test('nothing happens to a paused process: messages, timers and writes wait, and its state is kept', () => {
  const session = opened();
  void session.perform(pause('a'));
  void session.perform(send('a', 'hello'));
  expect(kindsAt(session, 'a')).toEqual([]);
  expect(kindsAt(session, 'b')).toEqual(['fire', 'complete']);
  expect(session.world.process('a').up).toBe(true);
  expect(notesOf(session)).toEqual({ notes: ['start 0'] });
  void session.perform(resume('a'));
  expect(kindsAt(session, 'a')).toEqual(['deliver', 'fire', 'complete']);
});

test('a process is paused once, and resumed once; a crash ends the pause', () => {
  const session = opened();
  expect(session.refusal(resume('a'))).toBe('a is not paused');
  void session.perform(pause('a'));
  expect(session.refusal(pause('a'))).toBe('a is paused already');
  void session.perform(crash('a'));
  expect(session.refusal(resume('a'))).toBe('a is crashed');
  void session.perform(restart('a'));
  expect(kindsAt(session, 'a')).toContain('fire');
});

test('a wiped restart finds nothing on the disk', () => {
  const session = opened();
  void session.perform(session.enabled.find(({ kind, process }) => kind === 'complete' && process === 'a') as never);
  void session.perform(crash('a'));
  void session.perform(restart('a'));
  expect(notesOf(session)).toEqual({ notes: ['start 1'] });
  void session.perform(crash('a'));
  void session.perform(restart('a', { wiped: true }));
  expect(notesOf(session)).toEqual({ notes: ['start 0'] });
});

test('a timer of a paused process does not stop virtual time, and is overdue when it resumes', () => {
  const system = defineSystem({ processes: { a: noting, b: noting }, timers: { skewMs: 0 } });
  const session = targetOf(resolveSystem(system)).open(1);
  void session.perform(start('a'));
  void session.perform(pause('a'));
  void session.perform(start('b'));
  expect(kindsAt(session, 'b')).toContain('fire');
  void session.perform(session.enabled.find(({ kind }) => kind === 'fire') as never);
  void session.perform(resume('a'));
  expect(kindsAt(session, 'a')).toContain('fire');
});

/** A lease that its holder uses without looking at the clock again. */
const lease = defineSystem({
  processes: {
    holder: behavior<{ until: number; isWriting: boolean }, 'write'>({
      start: (ctx) => {
        ctx.setTimer('write', 5);
        return { until: 20, isWriting: false };
      },
      receive: () => undefined,
      timer: (state) => void (state.isWriting = true),
    }),
    next: behavior<{ isWriting: boolean }, never>({
      start: (ctx) => {
        ctx.setTimer('take over', 20);
        return { isWriting: false };
      },
      receive: () => undefined,
      timer: (state) => void (state.isWriting = true),
    }),
  },
  timers: { skewMs: 0 },
  faults: { pauses: 1 },
  invariants: {
    expiredHolderIsSilent: (world) => {
      const [holder, next] = [world.process('holder').state, world.process('next').state];
      return !(next?.isWriting === true && holder?.isWriting === false) || 'the lease is over before it was used';
    },
  },
});

test('a hunt finds what only a pause brings about; a check says that it did not try pauses', async () => {
  const { findings } = await search(lease, { executions: 2_000 });
  const kinds = findings[0]?.trace.events.map(({ kind }) => kind) ?? [];
  expect(kinds).toContain('pause');
  const report = await check(lease, { search: 'depth' });
  expect([report.verdict, report.leftOut]).toEqual(['holds', ['pauses']]);
  expect((await check(lease, { search: 'novelty' })).verdict).toBe('violated');
});
