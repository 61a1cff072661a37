import { CulpritError } from '../error.ts';
import { OutsideEvent, RealWait, Stuck } from '../kernel/errors.ts';
import type { ResolvedSystem } from '../system/resolve.ts';
import type { Trace } from '../trace/format.ts';
import { plural } from '../text/plural.ts';
import type { CheckResult } from './check.ts';
import { awaited, leakText, remedyOf } from '../determinism/diagnose.ts';
import { Executions, type ExecutionBounds } from './executions.ts';
import { keptByBehaviors } from '../determinism/kept-fields.ts';
import { Survey } from './survey.ts';
import { withCommas } from '../text/with-commas.ts';

export interface FirstPass {
  readonly executions: Executions;
  readonly traces: ReadonlyMap<number, Trace>;
  readonly survey: Survey;
  readonly keptBefore: ReadonlyMap<string, string>;
  readonly result: CheckResult;
}

/** Executes every seed once, with all strategies in turn. Stops at an execution that fails with an error. */
export async function firstPass(system: ResolvedSystem, bounds: ExecutionBounds): Promise<FirstPass> {
  const executions = new Executions(bounds);
  const survey = new Survey(system);
  const traces = new Map<number, Trace>();
  const pass = { executions, survey, traces, keptBefore: keptByBehaviors(system) };
  for (const seed of executions.seeds) {
    try {
      const trace = await executions.execute(system, seed, survey.listener, (strategy) => survey.around(strategy));
      traces.set(seed, trace);
      survey.add(trace);
      const problem = handlerHangs(seed, trace);
      if (problem !== undefined) return { ...pass, result: problem };
    } catch (error) {
      if (!(error instanceof CulpritError)) throw error;
      return { ...pass, result: await failed(error, system, executions, seed) };
    }
  }
  return { ...pass, result: ran([...traces.values()]) };
}

function ran(all: readonly Trace[]): CheckResult {
  const events = all.reduce((sum, trace) => sum + trace.events.length, 0);
  const violated = all.filter(({ verdict }) => verdict.verdict === 'violated').length;
  const strategies = [...new Set(all.map(({ header }) => header.options.strategy))].join(', ');
  const found = violated === 0 ? '' : `, ${withCommas(violated)} of them violated`;
  const total = `${plural(all.length, 'execution')}${found}, ${plural(events, 'event')}`;
  return { check: 'executions', level: 'ok', message: `executions: ${total}, by ${strategies}` };
}

function handlerHangs(seed: number, { verdict }: Trace): CheckResult | undefined {
  if (verdict.verdict !== 'violated' || verdict.oracle !== 'handlerReturns') return undefined;
  return {
    check: 'executions',
    level: 'problem',
    message: `executions: seed ${seed}: ${verdict.message}`,
    next: 'A handler must return: look for a loop that does not end.',
  };
}

/** An execution that failed with an error, and the reason if code awaits something that culprit does not control. */
async function failed(
  error: CulpritError,
  system: ResolvedSystem,
  executions: Executions,
  seed: number,
): Promise<CheckResult> {
  const check = 'executions';
  const message = `executions: seed ${seed}: ${error.message}`;
  const waits = error instanceof Stuck || error instanceof OutsideEvent || error instanceof RealWait;
  const leak = waits ? await awaited(system, executions.again(seed)) : undefined;
  if (leak === undefined) return { check, level: 'problem', message, next: error.next };
  const likely = `${message} Likely leak: ${leakText(leak)}`;
  return { check, level: 'problem', message: likely, next: remedyOf(leak), leaks: [leak] };
}
