import { explainWhy, minimize, replay, type System } from 'culprit';
import { stepAlong } from 'culprit/kernel';
import { diffLines, exhibitOf, explainLines, exportTrace, viewerPage } from 'culprit/report';
import type { Trace } from 'culprit/trace';

/** The budget of a command that searches: it ends then, with any trace. */
const BUDGET = { schedules: 5, seconds: 5 };

/** What each command does with a trace of this system, in this process. */
export const largeCommands: Readonly<Record<string, (trace: Trace, system: System) => unknown>> = {
  read: () => undefined,
  replay: (trace, system) => replay(system, trace),
  explain: (trace) => explainLines(trace, { width: 100 }),
  diff: (trace) => diffLines(trace, { ...trace, events: trace.events.slice(0, -1) }, { width: 130 }),
  html: (trace) => exportTrace(trace, 'html'),
  mermaid: (trace) => exportTrace(trace, 'mermaid'),
  shiviz: (trace) => exportTrace(trace, 'shiviz'),
  chrome: (trace) => exportTrace(trace, 'chrome'),
  view: (trace) => viewerPage(exhibitOf([{ file: 'large.trace', trace }])),
  step: (trace, system) => stepAlong(system, trace, [`next ${trace.events.length - 1}`, 'story 5', 'undo 3', 'list']),
  minimize: (trace, system) => minimize(system, trace, { ...BUDGET, proofStates: 0 }),
  why: (trace, system) => explainWhy(system, trace, BUDGET),
};
