import { behavior, crash, defineSystem, pause, restart, resume, send, start } from 'culprit';
import { command, stdio } from 'culprit/live';
import { resolveSystem, targetOf, type Session } from 'culprit/kernel';
import { expect, onTestFinished, test } from 'vitest';

const program = [process.execPath, `${import.meta.dirname}/programs/counting.mjs`];

const peer = behavior<{ got: number[] }, number>({
  start: () => ({ got: [] }),
  receive: (state, message) => void state.got.push(message),
});

async function opened(): Promise<Session> {
  const node = command(program, { connect: stdio() });
  const session = targetOf(resolveSystem(defineSystem({ processes: { node, peer } }))).open(1);
  onTestFinished(() => session.close());
  await session.perform(start('node'));
  await session.perform(start('peer'));
  return session;
}

/** The next number that the program sends by itself. */
async function nextNumber(session: Session): Promise<number> {
  while (session.enabled.length === 0) await session.wait?.({ ms: 60_000 });
  await session.perform(session.enabled[0] as never);
  return (session.world.process('peer').state as { got: number[] }).got.at(-1) as number;
}

test('a paused program does nothing, and continues where it was', async () => {
  const session = await opened();
  await session.perform(send('node', 'count'));
  await session.perform(session.enabled[0] as never);
  await nextNumber(session);
  await session.perform(pause('node'));
  while (session.enabled.length > 0) await nextNumber(session);
  const last = (session.world.process('peer').state as { got: number[] }).got.length;
  await session.wait?.({ ms: 300, matching: () => false });
  expect(session.enabled).toEqual([]);
  await session.perform(resume('node'));
  expect(await nextNumber(session)).toBe(last + 1);
});

test('a restart finds the folder as it was, and a wiped one finds it empty', async () => {
  const session = await opened();
  const lives = async (): Promise<number> => {
    await session.perform(send('node', 'lives'));
    await session.perform(session.enabled[0] as never);
    return nextNumber(session);
  };
  expect(await lives()).toBe(1);
  await session.perform(crash('node'));
  await session.perform(restart('node'));
  expect(await lives()).toBe(2);
  await session.perform(crash('node'));
  await session.perform(restart('node', { wiped: true }));
  expect(await lives()).toBe(1);
});
