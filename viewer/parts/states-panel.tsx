import { ENVIRONMENT, type EventLine } from 'culprit/trace';
import type { Desk } from '../model/desk.ts';
import type { Execution } from '../model/execution.ts';
import { NONE, type Side } from '../model/lines.ts';
import type { Snapshot } from '../model/states.ts';
import { Data } from './data.tsx';
import { useStates } from './use-states.ts';

/** A page with the states of more processes would be slow. */
const STATES_MAX = 40;

/** The state of every process after the event at the cursor; of two executions side by side if they differ. */
export function StatesPanel({ desk }: { readonly desk: Desk }) {
  const { scene } = desk;
  const names = [...new Set(scene.executions.flatMap(({ lanes }) => lanes))].filter((name) => name !== ENVIRONMENT);
  const [left, right] = [useMoment(desk, 0), useMoment(desk, 1)];
  // The process that just acted comes first, then those that the reader has chosen, so that its changes are visible among many processes.
  const actor = desk.execution.events[desk.settings.cursor.event]?.process;
  const chosen = desk.settings.processes;
  const rank = (name: string): number => (name === actor ? 2 : chosen.has(name) ? 1 : 0);
  const isNow = new Set(names.filter((name) => isBegun(left, name) || isBegun(right, name)));
  const begun = names.filter((name) => isNow.has(name)).toSorted((a, b) => rank(b) - rank(a));
  const absent = names.filter((name) => !isNow.has(name));
  const isPair = scene.lines.sides.length === 2;
  const title = isPair ? 'States, left and right where they differ' : `States after ${desk.settings.cursor.event + 1}`;
  return (
    <section class="states" aria-label="States" aria-busy={left.states === undefined}>
      <h2>{title}</h2>
      {begun.slice(0, STATES_MAX).map((name) =>
        isPair && !isSame(left, right, name) ? (
          <div key={name} class="two">
            <One name={name} moment={left} />
            <One name={name} moment={right} />
          </div>
        ) : (
          <One key={name} name={name} moment={left} />
        ),
      )}
      {begun.length > STATES_MAX && (
        <p class="hint">
          and {(begun.length - STATES_MAX).toLocaleString('en')} more: choose processes above the diagram to see theirs
        </p>
      )}
      {absent.length > 0 && (
        <p class="hint">
          not started: {absent.slice(0, STATES_MAX).join(', ')}
          {absent.length > STATES_MAX && ` and ${(absent.length - STATES_MAX).toLocaleString('en')} more`}
        </p>
      )}
    </section>
  );
}

const isBegun = ({ execution, event }: Moment, name: string): boolean => execution.lives.at(name, event) !== 'absent';

/** The states of a side, at the line of the cursor. */
interface Moment {
  readonly execution: Execution;
  readonly event: number;
  /** The event, if it is on the line of the cursor. */
  readonly line: EventLine | undefined;
  /** Undefined while the states are still being computed. */
  readonly states: Snapshot | undefined;
}

function useMoment({ scene, settings, line }: Desk, side: Side): Moment {
  const execution = scene.execution(side);
  const { cursor } = settings;
  const event = cursor.side === side ? cursor.event : scene.lines.latestOn(line, side);
  const isOnLine = event !== NONE && scene.lines.lineOf(side, event) === line;
  const states = useStates(execution, event);
  return { execution, event, line: isOnLine ? execution.events[event] : undefined, states };
}

const isSame = (left: Moment, right: Moment, name: string): boolean => textOf(left, name) === textOf(right, name);

const textOf = ({ execution, event, states }: Moment, name: string): string =>
  JSON.stringify([execution.lives.at(name, event), states?.get(name)?.state]);

const statusWords: Readonly<Record<string, string>> = {
  absent: 'not started',
  down: 'crashed',
  stopped: 'stopped',
};

function One({ name, moment }: { readonly name: string; readonly moment: Moment }) {
  const { execution, event, line, states } = moment;
  const status = execution.lives.at(name, event);
  const { state, stateLabel } = states?.get(name) ?? {};
  const isActor = line?.process === name;
  return (
    <div class={`state ${isActor ? 'here' : ''} ${status}`}>
      <h3>
        {name}
        {stateLabel !== undefined && <span class="label">{stateLabel}</span>}
        {statusWords[status] !== undefined && <span class="status">{statusWords[status]}</span>}
      </h3>
      {states === undefined && <p class="hint">…</p>}
      {status === 'up' && state !== undefined && <Data value={state} changes={isActor ? line.changes : []} />}
    </div>
  );
}
