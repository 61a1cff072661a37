import { stepsOf } from '../explain/steps.ts';
import { sentenceOf } from '../explain/story.ts';
import { reasonsOf } from './reasons.ts';
import { printable } from '../text/printable.ts';
import type { EventSentence, Exhibit, ShownExecution } from '../trace/view-model.ts';
import type { Trace } from '../trace/format.ts';

/** An execution and its file. */
export interface NamedTrace {
  /** The file of the trace, for the title of the page. */
  readonly file: string;
  /** The execution. */
  readonly trace: Trace;
  /** The place of the code that handled each event, as `lock.ts:31`. */
  readonly places?: readonly (string | undefined)[];
}

/** The data of the page: one execution, or two side by side, with the sentences of the story. */
export const exhibitOf = (
  executions: readonly NamedTrace[],
  more: Partial<Pick<Exhibit, 'title' | 'why' | 'live' | 'canBranch'>> = {},
): Exhibit => ({
  title: executions.map(({ trace }) => headline(trace)).join(' · '),
  executions: executions.map(shownExecution),
  ...(more.why === undefined ? {} : { reasons: reasonsOf(more.why) }),
  ...more,
});

const shownExecution = ({ file, trace, places = [] }: NamedTrace): ShownExecution => ({
  file,
  trace,
  undelivered: trace.pending.map(({ pending: _pending, ...content }) => {
    const { who, what } = sentenceOf({ event: 0, ...content });
    return `${who} ${what}`;
  }),
  sentences: stepsOf(trace.events).flatMap(({ first, last }, step) =>
    trace.events.slice(first - 1, last).map((line): EventSentence => {
      const { what, changes } = sentenceOf(line);
      const at = places[line.event - 1];
      return { what, changes, step, ...(at === undefined ? {} : { at: printable(at) }) };
    }),
  ),
});

function headline({ header, verdict }: Trace): string {
  return verdict.verdict === 'violated'
    ? `${header.system}: ${verdict.oracle}`
    : `${header.system}: ${verdict.verdict}`;
}
