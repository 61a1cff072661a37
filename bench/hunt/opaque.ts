import { check, search } from 'culprit';
import replicatedLogClass from '../../cases/replicated-log/replicated-log.system.ts';
import type { Measured } from '../row.ts';
import { inTurns, median, ratio } from '../timing.ts';
import { replicatedLogActor } from './replicated-log-actor.ts';

const ROUNDS = 7;
const EXECUTIONS = 300;
const small = { nodes: 4, appends: 1, retries: 1, countsNodes: true };

/** The replicated log as a class and as a behavior, in turns: what it costs that objects of a class cannot be copied. */
export async function opaque(): Promise<Measured[]> {
  const systems = { class: replicatedLogClass, actor: replicatedLogActor };
  const hunted = await inTurns(ROUNDS, {
    class: () => hunt(systems.class),
    actor: () => hunt(systems.actor),
  });
  const checked = await inTurns(ROUNDS, {
    class: () => checkAll(systems.class),
    actor: () => checkAll(systems.actor),
  });
  return [
    rate('hunt', 'class', hunted.class, EXECUTIONS),
    rate('hunt', 'actor', hunted.actor, EXECUTIONS),
    {
      case: 'replicated log, hunt',
      metric: 'class against actor',
      value: ratio(hunted.class, hunted.actor),
      unit: 'x',
    },
    rate('check', 'class', checked.class, CHECKED),
    rate('check', 'actor', checked.actor, CHECKED),
    {
      case: 'replicated log, check',
      metric: 'class against actor',
      value: ratio(checked.class, checked.actor),
      unit: 'x',
    },
  ];
}

const CHECKED = 1_489;

const rate = (name: string, metric: string, ms: readonly number[], executions: number): Measured => ({
  case: `replicated log, ${name}`,
  metric,
  value: (executions * 1000) / median(ms),
  unit: 'executions/s of CPU time',
});

async function hunt(system: typeof replicatedLogActor): Promise<void> {
  const { executions, findings } = await search(system, {
    set: { countsNodes: true },
    executions: EXECUTIONS,
    strategy: 'random',
  });
  if (executions !== EXECUTIONS || findings.length > 0) throw new Error('nothing was to be found');
}

async function checkAll(system: typeof replicatedLogActor): Promise<void> {
  const { verdict, executions } = await check(system, { set: small });
  if (verdict !== 'holds' || executions !== CHECKED) throw new Error(`${verdict} after ${executions} executions`);
}
