import type { Trace } from '../trace/format.ts';
import { stepLines, type ExplainOptions } from './story-report.ts';
import { verdictLines, type ViolationDetails } from './verdict-lines.ts';

/** A minimized execution of up to this many events is shown completely. Of others only the end is shown. */
const WHOLE_MAX = 120;

/** So many steps at the end of other executions are shown. */
const STEPS_MAX = 40;

/** The violation, then the execution: the first text that users see. */
export const violationLines = (trace: Trace, details: ViolationDetails = {}): string[] => [
  ...verdictLines(trace, details),
  '',
  ...violationStory(trace),
];

/** The steps of an execution that ends with a violation. */
export function violationStory(trace: Trace, options: Pick<ExplainOptions, 'width' | 'paint'> = {}): string[] {
  const { header, events } = trace;
  const isWhole = header.minimized !== undefined && events.length <= WHOLE_MAX;
  return stepLines(trace, { ...options, stepsMax: isWhole ? WHOLE_MAX : STEPS_MAX });
}
