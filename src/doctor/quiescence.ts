import { isLive } from '../hosts/live/connector.ts';
import type { ReactionFacts } from '../hosts/live/process/reactions.ts';
import { SETTLE_MS } from '../hosts/live/program.ts';
import { plural } from '../text/plural.ts';
import type { CheckResult, DoctorSubject } from './check.ts';

/** For each live process: whether culprit observes that it has finished a reaction, or guesses it, and how sure that is. */
export function quiescence({ system }: DoctorSubject): CheckResult[] {
  return [...system.declaration.processes].flatMap(([name, { host }]) =>
    isLive(host) && host.connector !== undefined ? [resultOf(name, host.reactions.facts)] : [],
  );
}

function resultOf(name: string, facts: ReactionFacts): CheckResult {
  const result = (level: CheckResult['level'], message: string): CheckResult => ({
    check: 'quiescence',
    level,
    message: `quiescence: ${name}: ${message}`,
  });
  if (facts.by === 'nothing yet') return result('skipped', 'it did not run long enough to be looked at');
  if (facts.by === 'settle time') return { ...result('warning', guessed(facts)), next: NEXT };
  const looked = `observed (${facts.differed} of ${facts.looks} looks at the idle program differed)`;
  if (facts.late === 0) return result('ok', `${looked}, after ${plural(facts.reactions, 'reaction')}`);
  const late = `${looked}, but ${facts.late} of ${plural(facts.reactions, 'reaction')} took longer than culprit waits`;
  return { ...result('warning', late), next: 'Give the machine less to do, or the program less work per message.' };
}

const NEXT = 'A late answer then looks like one that came by itself: expect lower rates of reproduction.';

function guessed(facts: Extract<ReactionFacts, { by: 'settle time' }>): string {
  const instead = `${SETTLE_MS} ms settle time instead`;
  if (facts.because === 'polls')
    return `it polls (${facts.differed} of ${facts.looks} looks at the idle program differed): ${instead}`;
  return facts.because === 'no /proc'
    ? `this operating system does not show its threads: ${instead}`
    : `its messages do not come straight from culprit: ${instead}`;
}
