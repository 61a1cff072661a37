import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { resolveSystem, targetOf, type Session, type SessionCheckpoint } from 'culprit/kernel';
import { controller, defineNetwork, linear, network } from 'culprit/networks';
import { expect, onTestFinished, test } from 'vitest';
import { processesWith } from './processes.ts';

const topology = linear(2);
const { ping } = network(topology, { controllers: ['c1'] });
const cases = `${import.meta.dirname}/../../cases/controllers`;
const plain = `${cases}/plain_controller.py`;
const inside = { shim: 'python', sockets: true, checkpoints: true } as const;

/** A session of a network whose switches are connected to a controller. */
async function sessionWith(words: readonly string[]): Promise<Session> {
  const c1 = controller(words, { inside, view: ({ err }) => ({ log: [...err] }) });
  const system = resolveSystem(defineNetwork({ controllers: { c1 }, topology }));
  const session = targetOf(system).open(1);
  onTestFinished(() => session.close());
  for (const item of system.plan(1).items) if (item.kind === 'start') await session.perform(item);
  await settle(session);
  return session;
}

/** Delivers everything until nothing is left but timers. */
async function settle(session: Session): Promise<void> {
  for (;;) {
    const next = session.enabled.find(({ kind }) => kind === 'deliver');
    if (next === undefined) return;
    await session.perform(next);
  }
}

/** What two pings and a round of echoes lead to: all events, and the log of the controller. */
async function experiment(session: Session): Promise<readonly unknown[]> {
  const before = session.world.length;
  await session.perform(ping('h1', 'h2'));
  await settle(session);
  await session.perform(ping('h2', 'h1'));
  await settle(session);
  await session.wait?.({ ms: 60_000, matching: ({ kind }) => kind === 'fire' });
  for (const fire of session.enabled.filter(({ kind }) => kind === 'fire')) await session.perform(fire);
  await settle(session);
  const events = session.recording.events.since(before);
  return [
    events.map((event) => [event.kind, event.process, 'message' in event ? event.message : '']),
    session.world.process('c1').state,
  ];
}

async function proceeding(checkpoint: SessionCheckpoint | undefined): Promise<Session> {
  const session = await checkpoint?.proceed();
  if (session === undefined) throw new Error('there is no such checkpoint');
  onTestFinished(() => session.close());
  return session;
}

test('a session proceeds from a checkpoint as often as asked, also from that of a copy, and the same happens each time', async () => {
  const mark = `checkpointed-${process.pid}`;
  // An option of Python that is unknown has no effect, and is seen in the list of processes.
  const session = await sessionWith(['python3', '-X', mark, plain, '$address', '$port', '0.1']);
  const connected = await session.checkpoint?.();
  const first = await experiment(session);
  expect(first[0]).toContainEqual(['fire', 'c1', '']);
  expect(await experiment(await proceeding(connected))).toEqual(first);

  const copy = await proceeding(connected);
  await copy.perform(ping('h1', 'h2'));
  await settle(copy);
  const pinged = await copy.checkpoint?.();
  const second = await experiment(copy);
  expect(second).not.toEqual(first);
  expect(await experiment(await proceeding(connected))).toEqual(first);
  const last = await proceeding(pinged);
  expect(await experiment(last)).toEqual(second);
  await last.close();
  expect(processesWith(mark)).toEqual([]);
});

/** The reasons of a controller that refused checkpoints. */
const refusalsIn = (session: Session): unknown[] =>
  session.recording.notes
    .since(0)
    .flatMap((note) => (note.kind === 'observed' && note.what === 'no checkpoint' ? [note.content] : []));

test.each([
  ['threading.Thread(target=threading.Event().wait, daemon=True).start()', 'it has threads of its own'],
  ["subprocess.Popen(['sleep', '600'])", 'it has started other processes'],
  ["opened = open('/etc/passwd')", 'it has /etc/passwd open'],
  ["open('saved', 'w').close()", 'it keeps files'],
])('there is no checkpoint of a controller that would share something with its copies: %s', async (line, why) => {
  const code = `import subprocess, sys, threading
sys.path.insert(0, sys.argv[1])
import plain_controller
${line}
plain_controller.Controller(sys.argv[2], int(sys.argv[3])).run()`;
  const session = await sessionWith(['python3', '-Bc', code, cases, '$address', '$port']);
  expect(await session.checkpoint?.()).toBeUndefined();
  await session.wait?.({ ms: 1 });
  expect(refusalsIn(session)).toEqual([{ why }]);
});

test('a copy that ends by itself is a program that ended', async () => {
  const mark = `ending-${process.pid}`;
  const session = await sessionWith(['python3', '-X', mark, plain, '$address', '$port', '60']);
  const checkpoint = await session.checkpoint?.();
  const before = processesWith(mark);
  const copy = await proceeding(checkpoint);
  const [pid] = processesWith(mark).filter((one) => !before.includes(one));
  process.kill(pid as number, 'SIGKILL');
  while (copy.world.process('c1').up) await copy.wait?.({ ms: 60_000 });
  expect(copy.world.failure?.process).toBe('c1');
});

test.each(['SIGKILL', 'SIGINT'] as const)(
  'culprit is ended by %s: neither a checkpoint nor a copy is left',
  async (signal) => {
    const mark = `left-${signal}-${process.pid}`;
    const script = `${import.meta.dirname}/programs/checkpointed.mjs`;
    const culprit = spawn(process.execPath, [script, plain, mark], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void culprit.kill('SIGKILL'));
    await new Promise((resolve) => culprit.stdout.once('data', resolve));
    // Itself, the controller, the checkpoint and the copy.
    expect(processesWith(mark)).toHaveLength(4);
    culprit.kill(signal);
    while (processesWith(mark).length > 0) await delay(20);
  },
);

test('checkpoints are for controllers in Python whose channels come through one socket', () => {
  const checkpoints = true;
  for (const options of [{ shim: 'python' }, { shim: 'node', sockets: false }, { sockets: true }] as const)
    expect(() => controller('python3 x.py', { inside: { ...options, checkpoints } })).toThrow(
      '`inside: { checkpoints: true }` is for controllers in Python whose channels come through one socket.',
    );
});
