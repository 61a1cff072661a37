import { wordsIn } from 'culprit/trace';
import type { Desk } from '../model/desk.ts';
import { Data } from './data.tsx';

/** More evidence would push all else out of view. */
const OPEN_MAX = 300;

/** The evidence of the violation, if the cursor is at it. */
export function VerdictPanel({ desk }: { readonly desk: Desk }) {
  const { verdict, violation } = desk.execution;
  if (verdict.verdict !== 'violated' || desk.settings.cursor.event !== violation) return null;
  const { oracle, message, processes, values = {}, at = [] } = verdict;
  return (
    <section class="witness" aria-label="Verdict">
      <h2>✗ {oracle}</h2>
      <p>{message}</p>
      {at.length > 0 && (
        <ol class="places" aria-label="Location of the throw">
          {at.map((place) => (
            <li>
              <code>at {place}</code>
            </li>
          ))}
        </ol>
      )}
      {processes.length > 0 && <p class="hint">about {processes.slice(0, 20).join(', ')}</p>}
      {Object.keys(values).length > 0 && (
        <details class="more" open={JSON.stringify(values).length <= OPEN_MAX}>
          <summary>Evidence</summary>
          <dl class="facts">
            {Object.entries(values).map(([name, value]) => (
              <>
                <dt>{name}</dt>
                <dd>{wordsIn(value)?.map((text) => <div>{text}</div>) ?? <Data value={value} />}</dd>
              </>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}
