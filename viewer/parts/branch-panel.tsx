import type { Branch } from 'culprit/trace';
import { useState } from 'preact/hooks';

/** A branch under way, and why its server refused the last request. */
export interface BranchState {
  /** Undefined if it could not begin. */
  readonly branch?: Branch;
  readonly problem?: string | undefined;
  /** Whether the server is executing a request: another one would refer to choices of the past. */
  readonly isBusy: boolean;
}

/** What the reader may ask of the server: to leave the execution after so many events, or a command of `step`. */
export interface BranchActions {
  readonly begin: (after: number) => void;
  readonly enter: (command: string) => void;
  readonly leave: () => void;
}

/** Beyond these, a reader types a part of what happens instead. */
const CHOICES_MAX = 30;

/** The events that can happen next. A click performs one; the branch is shown beside the execution that it leaves. */
export function BranchPanel({ state, actions }: { readonly state: BranchState; readonly actions: BranchActions }) {
  const { branch, problem, isBusy } = state;
  if (branch === undefined) return <Beginning problem={problem} />;
  const { choices, isOver, lines } = branch;
  const { verdict } = branch.execution.trace;
  return (
    <section class="branch" aria-label="Branch">
      <h2>Branch: what happens next?</h2>
      {isOver && verdict.verdict === 'violated' && (
        <p class="verdict violated">
          <b>✗ {verdict.oracle}</b> <span>{verdict.message}</span>
        </p>
      )}
      {choices.length === 0 && <p class="hint">{isOver ? 'The execution has ended.' : 'Nothing can happen.'}</p>}
      <ol class="next-events">
        {choices.slice(0, CHOICES_MAX).map(({ who, what, note }, at) => (
          <li key={`${at} ${who} ${what}`}>
            <button type="button" disabled={isBusy} onClick={() => actions.enter(String(at + 1))}>
              <b>{who}</b> {what} {note !== '' && <small>{note}</small>}
            </button>
          </li>
        ))}
      </ol>
      {choices.length > CHOICES_MAX && <p class="hint">and {choices.length - CHOICES_MAX} more: type a part of one</p>}
      <Command actions={actions} />
      <div class="buttons">
        <button type="button" disabled={isBusy} onClick={() => actions.enter('undo')}>
          Take back
        </button>
        <button type="button" disabled={isBusy} onClick={() => actions.enter('save')}>
          Save as a trace
        </button>
        <button type="button" onClick={actions.leave}>
          Leave the branch
        </button>
      </div>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {lines.length > 0 && <pre>{lines.join('\n')}</pre>}
    </section>
  );
}

/** Before the first answer, which may take a while: the system is executed up to the event. */
const Beginning = ({ problem }: { readonly problem: string | undefined }) => (
  <section class="branch" aria-label="Branch">
    {problem === undefined ? <p>Executing the system up to here …</p> : <p class="problem">{problem}</p>}
  </section>
);

/** Everything that `step` understands, such as faults. */
function Command({ actions }: { readonly actions: BranchActions }) {
  const [line, setLine] = useState('');
  return (
    <input
      type="text"
      aria-label="Command"
      placeholder="or type a command of step: crash a, run 20, help"
      value={line}
      onInput={({ currentTarget: { value } }) => setLine(value)}
      onKeyDown={(key) => {
        if (key.key === 'Escape') key.currentTarget.blur();
        if (key.key !== 'Enter' || line.trim() === '') return;
        actions.enter(line.trim());
        setLine('');
      }}
    />
  );
}
