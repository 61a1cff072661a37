import { CulpritError, explainWhy, minimize, recheck, replay, type System } from 'culprit';
import { diffLines, explainLines, exportTrace, inWords, pcapngOf, storyLines, whyLines } from 'culprit/report';
import { stepAlong } from 'culprit/kernel';
import { align, readTrace, type Trace } from 'culprit/trace';

/** A valid trace, and its system. */
export interface Original {
  readonly system: System;
  readonly text: string;
}

/** The work of each command on a trace, in this process. */
export const commands: Readonly<Record<string, (trace: Trace, original: Original) => unknown>> = {
  read: () => undefined,
  explain: (trace) => [explainLines(trace, { width: 100 }), storyLines(trace.events, { width: 80 })],
  html: (trace) => exportTrace(trace, 'html'),
  mermaid: (trace) => exportTrace(trace, 'mermaid'),
  shiviz: (trace) => exportTrace(trace, 'shiviz'),
  chrome: (trace) => exportTrace(trace, 'chrome'),
  json: (trace) => exportTrace(trace, 'json'),
  pcapng: (trace) => pcapngOf(trace),
  words: (trace) => inWords(trace, { message: () => 'm', state: (state) => typeof state, timer: () => 't' }),
  diff(trace, { text }) {
    const other = readTrace(text, 'the original');
    return [diffLines(trace, other, { width: 130 }), diffLines(other, trace), align(trace, trace)];
  },
  replay: (trace, { system }) => replay(system, trace, { handlerMs: 2_000 }),
  recheck: (trace, { system }) => recheck(system, trace, { neighbors: 5, handlerMs: 2_000 }),
  minimize: (trace, { system }) => minimize(system, trace, { schedules: 10, proofStates: 0, seconds: 5 }),
  step: (trace, { system }) => eachScript(system, trace),
  why: async (trace, { system }) => whyLines(await explainWhy(system, trace, { seconds: 1 }), trace, { width: 80 }),
};

/** Scripts that follow a trace, inspect everything, and leave it. An impossible command ends its script. */
const SCRIPTS: readonly (readonly string[])[] = [
  ['next 1000', 'story', 'past', 'event', 'state', 'check', 'undo 3', 'redo 2', 'script'],
  ['next 5', 'list', 'pending', 'run 10', 'story 5', 'undo all', 'next'],
  ['next 3', 'cut lock', 'heal', 'crash lock', 'restart lock', 'lose 1', 'duplicate 1', 'list'],
];

/** Refused if every script is refused. */
async function eachScript(system: System, trace: Trace): Promise<void> {
  const refusals: CulpritError[] = [];
  for (const script of SCRIPTS) {
    await stepAlong(system, trace, script).catch((error: unknown) => {
      if (!(error instanceof CulpritError)) throw error;
      refusals.push(error);
    });
  }
  if (refusals.length === SCRIPTS.length) throw refusals[0] as CulpritError;
}

/** The outcome of a command: any thrown value that is no CulpritError is our bug. */
export type Ending = 'accepted' | 'refused' | { readonly unexpected: unknown };

export async function endingOf(command: string, text: string, original: Original): Promise<Ending> {
  try {
    const trace = readTrace(text, 'a mutant');
    await commands[command]?.(trace, original);
    return 'accepted';
  } catch (error) {
    return error instanceof CulpritError ? 'refused' : { unexpected: error };
  }
}
