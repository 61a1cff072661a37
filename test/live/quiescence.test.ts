import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { behavior, defineSystem, send, start } from 'culprit';
import { command, stdio, type CommandBehavior } from 'culprit/live';
import { Random, resolveSystem, targetOf } from 'culprit/kernel';
import { expect, onTestFinished, test } from 'vitest';

const program = `${import.meta.dirname}/programs/working.mjs`;
const KINDS = ['pool', 'child', 'orphan', 'output', 'nothing'] as const;
const MESSAGES = 60;

const peer = behavior<{ got: number }, unknown>({
  start: () => ({ got: 0 }),
  receive: (state) => void (state.got += 1),
});

const lateReactions = ({ facts }: CommandBehavior<object>['host']['reactions']): number => {
  if (facts.by !== 'looks') throw new Error(`the program is not looked at: ${JSON.stringify(facts)}`);
  return facts.late;
};

test('a program that is thought to be quiet has done all its work', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quiescence-'));
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const node = command([process.execPath, program, log], { connect: stdio() });
  const session = targetOf(resolveSystem(defineSystem({ processes: { node, peer } }))).open(1);
  onTestFinished(async () => {
    await session.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await session.perform(start('peer'));
  await session.perform(start('node'));
  const random = Random.seeded(0, 7);
  let late = 0;
  const wrong: unknown[] = [];
  for (let number = 0; number < MESSAGES; number++) {
    const work = Array.from({ length: random.below(4) }, () => [KINDS[random.below(KINDS.length)], random.below(4)]);
    await session.perform(send('node', { work }));
    await session.perform(session.enabled.find(({ process }) => process === 'node') as never);
    const [begun, ended] = ['+', '-'].map((sign) => readFileSync(log, 'utf8').split(sign).length - 1);
    // On a very busy machine culprit may stop waiting. It knows, so that is no wrong guess.
    const before = late;
    late = lateReactions(node.host.reactions);
    if (begun !== ended && late === before) wrong.push({ number, work, begun, ended });
  }
  expect(wrong).toEqual([]);
  expect(late).toBeLessThan(MESSAGES / 2);
});
