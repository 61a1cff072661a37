import { stepsOf } from '../explain/steps.ts';
import { tell } from '../explain/story.ts';
import { printable } from '../text/printable.ts';
import type { EventText, Exhibit, ShownExecution } from '../trace/view-model.ts';
import type { Trace } from '../trace/format.ts';

/** An execution and the name under which it is shown. */
export interface Named {
  readonly file: string;
  readonly trace: Trace;
  /** Where the code is that handled each event, as `lock.ts:31`. */
  readonly places?: readonly (string | undefined)[];
}

/** What the page shows of one execution, or of two side by side, in the words of the story. */
export const exhibitOf = (
  executions: readonly Named[],
  more: Partial<Pick<Exhibit, 'title' | 'why' | 'live'>> = {},
): Exhibit => ({
  title: executions.map(({ trace }) => headline(trace)).join(' · '),
  executions: executions.map(shown),
  ...more,
});

const shown = ({ file, trace, places = [] }: Named): ShownExecution => ({
  file,
  trace,
  texts: stepsOf(trace.events).flatMap(({ first, last }, step) =>
    trace.events.slice(first - 1, last).map((line): EventText => {
      const { what, changes } = tell(line);
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
