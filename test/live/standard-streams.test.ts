import { behavior, defineSystem, send, start } from 'culprit';
import { command, stdio, type CommandOptions } from 'culprit/live';
import { resolveSystem, targetOf, type Session } from 'culprit/kernel';
import { expect, onTestFinished, test } from 'vitest';

const peer = behavior<{ got: unknown[] }, unknown>({
  start: () => ({ got: [] }),
  receive: (state, message) => void state.got.push(message),
});

async function opened(words: readonly string[], options: CommandOptions<object> = {}): Promise<Session> {
  const node = command(words, { connect: stdio(), view: ({ err }) => ({ err: [...err] }), ...options });
  const session = targetOf(resolveSystem(defineSystem({ processes: { node, peer } }))).open(1);
  onTestFinished(() => session.close());
  await session.perform(start('peer'));
  await session.perform(start('node'));
  return session;
}

async function delivered(session: Session, process: string): Promise<void> {
  await session.perform(session.enabled.find((event) => event.process === process) as never);
}

test('a program opens its standard streams again', async () => {
  const script = `echo first > /dev/stderr
while read -r line < /dev/stdin; do
  echo '{"to": "peer", "message": 1}' > /dev/stdout
  echo second > /dev/stderr
done`;
  const session = await opened(['sh', '-c', script]);
  await session.perform(send('node', 1));
  await delivered(session, 'node');
  await delivered(session, 'peer');
  expect(session.world.process('peer').state).toEqual({ got: [1] });
  expect(session.world.process('node').state).toEqual({ err: ['first', 'second'] });
});

test('when a program has ended in reaction to a message, culprit knows before the next event', async () => {
  const session = await opened(['sh', '-c', 'read -r line; exit 3']);
  await session.perform(send('node', 1));
  await delivered(session, 'node');
  expect(session.world.process('node').up).toBe(false);
});

test('a message that is larger than a pipe is written to its end before the reaction is over', async () => {
  const program = `
    require('readline').createInterface({ input: process.stdin }).on('line', (line) =>
      console.log(JSON.stringify({ to: 'peer', message: line.length })));
  `;
  const session = await opened([process.execPath, '-e', program]);
  const message = 'x'.repeat(1 << 20);
  await session.perform(send('node', message));
  await delivered(session, 'node');
  const length = JSON.stringify({ from: 'environment', message }).length;
  expect(session.enabled).toMatchObject([{ process: 'peer', message: length }]);
});
