import { explainWhy } from '../explain/why/explain-why.ts';
import type { ExplainWhyOptions, ExplainWhyProgress } from '../explain/why/options.ts';
import { DECIDING } from '../explain/why/continuations.ts';
import { whySentence } from '../explain/why/why-sentence.ts';
import { resolveSystem } from '../system/resolve.ts';
import type { System } from '../system/definition.ts';
import type { Trace } from '../trace/format.ts';
import type { Why } from '../trace/why.ts';
import { plural } from '../text/plural.ts';
import { Stopped, type Interruption } from './interruption.ts';
import { Progress } from './output/progress.ts';
import { explaining } from './output/progress-words.ts';

/** The explanation was interrupted, after this many executions. */
export class WhyStopped extends Stopped {
  constructor(
    exitCode: number,
    readonly executions: number,
  ) {
    super(exitCode);
  }

  get line(): string {
    return `stopped   after ${plural(this.executions, 'execution')} spent on finding out why: no answer`;
  }
}

/** Explains a violation, with progress on a terminal. Throws `WhyStopped` if it is interrupted. */
export async function whyIn(
  system: System,
  trace: Trace,
  limits: Pick<ExplainWhyOptions, 'continuations' | 'seconds' | 'replays'>,
  interruption: Interruption,
): Promise<Why> {
  const progress = new Progress(process.stderr);
  const beganMs = performance.now();
  let executions = 0;
  const onProgress = (state: ExplainWhyProgress): void => {
    ({ executions } = state);
    progress.show(explaining(state), performance.now() - beganMs);
  };
  const { signal } = interruption;
  const work = explainWhy(system, trace, { ...limits, signal, onProgress });
  try {
    return await interruption.unlessStopped(work);
  } catch (error) {
    // Processes that act by themselves may outlive culprit: their sessions are closed first.
    const isControlled = resolveSystem(system, trace.header.parameters).guarantees.controlled;
    if (error instanceof Stopped && !isControlled) await work.catch(() => undefined);
    throw error instanceof Stopped ? new WhyStopped(error.exitCode, executions) : error;
  } finally {
    progress.end();
  }
}

/** The time limit of an explanation that is part of another command. */
const SENTENCE_SECONDS = 5;

/** The help of `--no-why`. */
export const NO_WHY_HELP = 'do not find out why, which takes some seconds at most';

/** Why an execution is violated, in one sentence; undefined if that is not known soon, or the command is interrupted. */
export async function whyShortly(
  system: System,
  trace: Trace,
  interruption: Interruption,
): Promise<string | undefined> {
  if (interruption.isStopped) return undefined;
  const limits = { seconds: SENTENCE_SECONDS, continuations: DECIDING };
  try {
    return await whySentence(trace, () => whyIn(system, trace, limits, interruption));
  } catch (error) {
    if (error instanceof WhyStopped) return undefined;
    throw error;
  }
}

/** The time limit of an explanation for a page. */
const PAGE_SECONDS = 20;

/** The same for a page. */
export const whyForPage = (system: System, trace: Trace, interruption: Interruption): Promise<Why> =>
  whyIn(system, trace, { seconds: PAGE_SECONDS }, interruption);
