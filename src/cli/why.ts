import { explainWhy, type ExplainWhyProgress } from '../why/explain-why.ts';
import { loadSystem } from '../load-system.ts';
import type { System } from '../targets/actors/system.ts';
import type { Trace } from '../trace/format.ts';
import type { Why } from '../trace/why.ts';
import { explainingLine, Progress } from './progress.ts';
import { moduleOf } from './trace-module.ts';

/** Why a trace is violated, with progress where one sees it. */
export function whyIn(system: System, trace: Trace, seconds: number): Promise<Why> {
  const progress = new Progress(process.stderr);
  const beganMs = performance.now();
  const onProgress = (state: ExplainWhyProgress): void =>
    progress.show(explainingLine(state), performance.now() - beganMs);
  return explainWhy(system, trace, { seconds, onProgress }).finally(() => progress.end());
}

/** A trace, the file it is in, and where its system is, if that is not where the trace says. */
interface Asked {
  readonly path: string;
  readonly trace: Trace;
  readonly system: string | undefined;
}

/** How long it is looked for where somebody waits for a page. */
const PAGE_SECONDS = 20;

/** The same for a page. */
export async function whyForPage({ path, trace, system: given }: Asked, command: 'export' | 'view'): Promise<Why> {
  const { system } = await loadSystem(given ?? moduleOf(trace, path, command));
  return await whyIn(system, trace, PAGE_SECONDS);
}
