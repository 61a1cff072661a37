import { behavior, crash, cut, cutOneWay, heal, restart, send } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';
import { command, jsonLines, raw, tcp, type FrameCodec, type TcpOptions } from 'culprit/live';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DrivenSession } from './driven-session.ts';

const program = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url));
const view = ({ out }: { out: readonly string[] }): { out: string[] } => ({
  out: out.filter((line) => line !== 'listening'),
});

/** One line is one frame, of a type that its first word says. */
const words: FrameCodec = {
  name: 'words',
  open: () => ({ client: readWords, server: readWords }),
  bytesOf: (message) => Buffer.from(`${(message as { content: string }).content}\n`),
};

function readWords(unread: Buffer): { type: string; content: string; length: number } | undefined {
  const end = unread.indexOf('\n');
  if (end < 0) return undefined;
  const content = unread.toString('latin1', 0, end);
  return { type: content.split(' ', 1)[0] ?? '', content, length: end + 1 };
}

const listener = (codec: FrameCodec = words, options: TcpOptions = {}): AnyBehavior =>
  command([process.execPath, program('listener.mjs'), '$port', '$address'], {
    port: 7001,
    connect: tcp(codec, options),
    // Without this, the look whether its port accepts would be a connection that it prints.
    ready: { log: /listening/ },
    view,
  });

const speaker = (...script: string[]): AnyBehavior =>
  command([process.execPath, program('speaker.mjs'), '$port.b', '$address.b', ...script], {
    connect: tcp(words),
    view,
  });

test('frames between two programs wait for the kernel, and keep their order and bytes', async () => {
  const driven = await DrivenSession.start({ b: listener(), a: speaker('say', 'ask 1\\nask 2\\nas', 'say', 'k 3\\n') });
  await driven.until('three frames', () => driven.inFlightTo('b').length === 3);
  expect(driven.observed('a')).toEqual([['opens connection', { to: 'b', lane: 'a 1' }]]);
  expect(driven.lines('b')).toEqual([]);
  const [first] = driven.session.enabled;
  expect(first).toMatchObject({ from: 'a', process: 'b', lane: 'a 1', message: { type: 'ask', content: 'ask 1' } });
  if (first !== undefined) await driven.perform(first);
  await driven.until('an answer', () => driven.inFlightTo('a').length === 1);
  expect([driven.lines('b'), driven.lines('a')]).toEqual([['line ask 1'], []]);
  await driven.deliverUntil('the last answer', () => driven.lines('a').includes('line answer 3'));
  expect(driven.lines('b')).toEqual(['line ask 1', 'line ask 2', 'line ask 3']);
  expect(driven.lines('a')).toEqual(['line answer 1', 'line answer 2', 'line answer 3']);
});

test('a connection closes after the frames in flight, and half of a frame is delivered', async () => {
  const script = ['say', 'ask 1\\nhal', 'end'];
  const driven = await DrivenSession.start({ b: listener(), a: speaker(...script) });
  await driven.until('the end', () => driven.inFlightTo('b').length === 2);
  expect(driven.observed('a').at(-1)).toEqual(['half-closes connection', { to: 'b', lane: 'a 1', unfinished: 'hal' }]);
  expect(driven.inFlightTo('b')).toEqual(['ask', 'raw']);
  expect(driven.lines('b')).toEqual([]);
  await driven.deliverUntil('both ends', () => driven.lines('a').includes('end'));
  expect(driven.lines('b')).toEqual(['line ask 1', 'end after hal']);
  expect(driven.observed('b')).toEqual([['closes connection', { to: 'a', lane: 'a 1' }]]);
});

test('a connection that breaks is reset at its other end, and its messages are not delivered', async () => {
  const script = ['say', 'ask 1\\n', 'hear', 'say', 'ask 2\\nhal', 'say', '', 'hear', 'reset'];
  const driven = await DrivenSession.start({ b: listener(), a: speaker('say', 'ask 0\\n', 'hear', ...script) });
  await driven.deliverUntil('the first answers', () => driven.lines('b').includes('line ask 2'));
  await driven.deliverUntil('the reset', () => driven.lines('b').includes('reset'));
  const [what, content] = driven.observed('a').at(-1) ?? [];
  expect([what, content]).toEqual(['breaks connection', { to: 'b', lane: 'a 1', unfinished: 'hal' }]);
});

test('the crash of a program resets its connections, and a restart opens new ones', async () => {
  const driven = await DrivenSession.start({ b: listener(), a: speaker('say', 'ask 1\\n') });
  await driven.deliverUntil('an answer', () => driven.lines('a').includes('line answer 1'));
  await driven.perform(crash('a'));
  await driven.until('the end', () => driven.lines('b').some((line) => line === 'reset' || line === 'end'));
  await driven.perform(restart('a'));
  await driven.deliverUntil(
    'a new connection',
    () => driven.lines('b').filter((line) => line === 'line ask 1').length === 2,
  );
  expect(driven.observed('a').at(-1)).toEqual(['opens connection', { to: 'b', lane: 'a 2' }]);
  await driven.perform(crash('b'));
  await driven.until('the end', () => driven.lines('a').some((line) => line === 'ECONNRESET' || line === 'end'));
});

test('a connection closes although its last frame was lost', async () => {
  const driven = await DrivenSession.start(
    { b: listener(), a: speaker('say', 'ask 1\\n', 'end') },
    { faults: { losses: 1 } },
  );
  await driven.until('the end', () => driven.hasObserved('a', 'half-closes connection'));
  const [loss] = driven.session.faults();
  if (loss !== undefined) await driven.perform(loss);
  await driven.perform(cut('a', 'b'));
  await driven.until('the end at the other side', () => driven.lines('b').includes('end'));
  expect(driven.lines('b')).toEqual(['end']);
});

test('a program that floods its connection waits for the receiver', async () => {
  const frames = 30;
  const driven = await DrivenSession.start({ b: listener(), a: speaker('flood', String(frames), 'end') });
  await driven.until('a mebibyte', () => driven.inFlightTo('b').length > 10);
  await driven.session.wait?.({ ms: 200 });
  expect(driven.inFlightTo('b').length).toBeLessThan(15);
  await driven.deliverUntil('the end', () => driven.lines('b').includes('end'));
  expect(driven.lines('b').filter((line) => line.startsWith('line'))).toHaveLength(frames);
});

test('a cut holds the frames of a connection', async () => {
  const driven = await DrivenSession.start({ b: listener(), a: speaker('say', 'ask 1\\n') });
  await driven.until('a frame', () => driven.inFlightTo('b').length === 1);
  await driven.perform(cut('a', 'b'));
  expect(driven.session.enabled).toEqual([]);
  await driven.perform(heal('a', 'b'));
  await driven.deliverUntil('an answer', () => driven.lines('a').includes('line answer 1'));
});

test('the bytes of a passed connection wait while its link is cut, one way or both', async () => {
  const script = ['say', 'ask 1\\n', 'hear', 'say', 'ask 2\\n', 'hear', 'say', 'ask 3\\n', 'end'];
  const driven = await DrivenSession.start({ b: listener(words, { pass: ['a'] }), go: nothing, a: speaker(...script) });
  await driven.until('the end', () => driven.lines('a').includes('end'));
  expect(driven.session.world.pending).toEqual([]);
  expect(driven.lines('b')).toEqual(['line ask 1', 'line ask 2', 'line ask 3', 'end']);
  expect(driven.observed('a')[0]).toEqual(['opens connection', { to: 'b' }]);
  for (const link of [cutOneWay('a', 'b'), cutOneWay('b', 'a'), cut('a', 'b')]) {
    await driven.perform(crash('a'));
    await driven.perform(link);
    const before = driven.lines('b').length;
    const connections = opened(driven);
    await driven.perform(restart('a'));
    await driven.until('the connection', () => opened(driven) === connections + 1);
    // The way there is open in one of the three: then the question arrives, and its answer does not.
    const isOneWayBack = link.kind === 'cut' && link.links.every(([from]) => from === 'b');
    if (isOneWayBack) await driven.until('the question', () => driven.lines('b').length > before);
    await driven.session.wait?.({ ms: 100 });
    expect(driven.lines('b').slice(before)).toEqual(isOneWayBack ? ['line ask 1'] : []);
    expect(driven.lines('a')).toEqual([]);
    const sender = isOneWayBack ? 'b' : 'a';
    await driven.until('bytes that meet the cut', () => driven.hasObserved(sender, 'cut off'));
    await driven.perform(heal());
    await driven.until('the end', () => driven.lines('a').includes('end'));
  }
});

const twoQuestions = ['say', 'ask 1\\n', 'hear', 'say', 'ask 2\\n', 'hear'];

test('a cut resets passed connections, and new ones, where a link says so', async () => {
  const b = listener(words, { pass: { a: { onCut: 'reset' } } });
  const driven = await DrivenSession.start({ b, a: speaker(...twoQuestions) });
  await driven.until('two answers', () => driven.lines('a').length === 2);
  await driven.perform(cut('a', 'b'));
  await driven.until('the reset', () => driven.lines('a').includes('ECONNRESET'));
  expect(driven.hasObserved('a', 'loses connection')).toBe(true);
  await driven.perform(crash('a'));
  await driven.perform(restart('a'));
  await driven.until('another reset', () => driven.lines('a').includes('ECONNRESET'));
  expect(driven.lines('a')).toEqual(['ECONNRESET']);
});

test('a cut loses the bytes of passed connections where a link says so, and they break when it heals', async () => {
  const b = listener(words, { pass: { a: { onCut: 'lose' } } });
  const driven = await DrivenSession.start({ b, a: speaker(...twoQuestions) });
  await driven.until('two answers', () => driven.lines('a').length === 2);
  await driven.perform(cut('a', 'b'));
  await driven.perform(crash('a'));
  await driven.perform(restart('a'));
  await driven.until('a new connection', () => opened(driven) === 2);
  await driven.session.wait?.({ ms: 100 });
  expect([driven.lines('a'), driven.lines('b').filter((line) => line === 'line ask 1')]).toEqual([[], ['line ask 1']]);
  await driven.perform(heal('a', 'b'));
  await driven.until('the end of the broken connection', () => driven.lines('a').includes('ECONNRESET'));
});

test('a link may be slow', async () => {
  const driven = await DrivenSession.start({
    b: listener(words, { pass: { a: { delayMs: 300 } } }),
    a: speaker('say', 'ask 1\\n', 'hear', 'end'),
  });
  await driven.until('the end', () => driven.lines('a').includes('end'));
  expect(driven.lines('b')).toEqual(['line ask 1', 'end']);
  const [openedMs = 0, endMs = 0] = driven.timesOf('a', ['opens connection', 'end']);
  // There and back, and the same for the end.
  expect(endMs - openedMs).toBeGreaterThan(4 * 300 - 10);
});

const opened = (driven: DrivenSession): number =>
  driven.observed('a').filter(([what]) => what === 'opens connection').length;

const nothing = behavior({ start: () => ({}), receive() {} });

test('a program is recognized by its address, and by its sockets if it left its parent', async () => {
  const driven = await DrivenSession.start({
    b: listener(),
    a: speaker('detach', 'say', 'ask 1\\n'),
    c: command(
      [process.execPath, program('speaker.mjs'), '$port.b', '$address.b', 'bind', '$address', 'say', 'ask 2\\n'],
      {
        port: 7002,
        connect: tcp(words),
        ready: { probe: () => true },
      },
    ),
    stranger: command([process.execPath, program('speaker.mjs'), '$port.b', '$address.b', 'say', 'ask 3\\n']),
  });
  await driven.until('two frames', () => driven.inFlightTo('b').length === 2);
  expect(new Set(driven.session.enabled.map((event) => 'from' in event && event.from))).toEqual(new Set(['a', 'c']));
  await driven.until('the third', () => driven.lines('b').includes('line ask 3'));
  expect(driven.observed('b')).toEqual([['takes connection', { from: 'environment' }]]);
});

test('bytes that the codec cannot read are passed on as chunks, and the trace says why', async () => {
  const driven = await DrivenSession.start({
    b: listener(jsonLines()),
    a: speaker('say', '{"type":"ask"}\\nask 1\\n'),
  });
  await driven.deliverUntil('the line', () => driven.lines('b').includes('line ask 1'));
  expect(driven.observed('a').at(-1)).toEqual([
    'unreadable',
    { to: 'b', codec: 'jsonLines()', why: '"ask 1" is no JSON' },
  ]);
  await driven.deliverUntil('the answers', () => driven.lines('a').length === 2);
});

test('a codec of the user that throws ends the execution with one sentence', async () => {
  const broken: FrameCodec = {
    ...words,
    name: 'broken',
    open: () => ({
      client: () => {
        throw new TypeError('no such field');
      },
      server: readWords,
    }),
  };
  const executed = async (): Promise<void> => {
    const driven = await DrivenSession.start({ b: listener(broken), a: speaker('say', 'ask 1\\n') });
    await driven.until('the failure', () => false);
  };
  await expect(executed()).rejects.toThrow(
    /^the codec broken of tcp failed at test\/live\/tcp\.test\.ts:\d+:\d+: TypeError: no such field$/,
  );
});

test('processes of the user have connections of their own, one for each life and lane', async () => {
  const client = behavior({
    start: () => ({ got: [] as unknown[] }),
    receive(state, message: { type: string; content: string; lane?: string }, ctx) {
      if (ctx.from === 'b') state.got.push(message.content);
      else ctx.send('b', message, message.lane === undefined ? {} : { lane: message.lane });
    },
  });
  const driven = await DrivenSession.start({ b: listener(), client });
  const got = (): unknown[] => (driven.session.world.process('client').state as { got: unknown[] }).got;
  for (const content of ['ask 1', 'ask 2']) await driven.perform(send('client', { type: 'ask', content }));
  await driven.deliverUntil('two answers', () => got().length === 2);
  expect([got(), driven.lines('b')]).toEqual([
    ['answer 1', 'answer 2'],
    ['line ask 1', 'line ask 2'],
  ]);
  await driven.perform(crash('client'));
  await driven.until(
    'the end of the connection',
    () => driven.lines('b').includes('reset') || driven.lines('b').includes('end'),
  );
  await driven.perform(restart('client'));
  await driven.perform(send('client', { type: 'ask', content: 'ask 3', lane: 'other' }));
  await driven.deliverUntil('another answer', () => got().length === 1);
  expect(got()).toEqual(['answer 3']);
  await driven.perform(send('b', { type: 'ask', content: 'ask 4' }));
  await driven.deliverUntil('the question of the environment', () => driven.lines('b').includes('line ask 4'));
});

test('a misspelled name of a process is refused', async () => {
  await expect(DrivenSession.start({ b: listener(words, { pass: ['aa'] }), a: speaker() })).rejects.toThrow(
    'tcp passes the connections of aa, and no process is called that.',
  );
  expect(() => tcp(words, { pass: { a: { onCut: 'drop' as never } } })).toThrow(
    'pass.a.onCut is one of hold, lose, reset',
  );
  expect(() => tcp({} as never)).toThrow('tcp takes a codec with name, open and bytesOf.');
});

test('a message to a program that listens nowhere is a mistake of the system', async () => {
  const driven = await DrivenSession.start({ b: listener(raw()), a: speaker() });
  await driven.perform(send('a', { type: 'ask', content: 'x' }));
  const [next] = driven.session.enabled;
  await expect(driven.perform(next as never)).rejects.toThrow(
    'environment sends a message to a, which has no port to connect to.',
  );
});
