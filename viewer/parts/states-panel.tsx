import { changesBetween, ENVIRONMENT, NOTHING, type Change, type EventLine } from 'culprit/trace';
import type { Desk } from '../model/desk.ts';
import type { Execution } from '../model/execution.ts';
import { NONE, type Side } from '../model/lines.ts';
import type { Snapshot } from '../model/states.ts';
import { Data } from './data.tsx';
import { useStates } from './use-states.ts';

/** A page with the states of more processes would be slow. */
const STATES_MAX = 40;

interface Props {
  readonly desk: Desk;
  readonly onMove: (move: (desk: Desk) => Desk) => void;
}

/** The state of every process after the event at the cursor; of two executions side by side if they differ. */
export function StatesPanel({ desk, onMove }: Props) {
  const { scene, settings } = desk;
  const base = useBase(desk);
  const names = [...new Set(scene.executions.flatMap(({ lanes }) => lanes))].filter((name) => name !== ENVIRONMENT);
  const [left, right] = [useMoment(desk, 0), useMoment(desk, 1)];
  // The process that just acted comes first, then those that the reader has chosen, so that its changes are visible among many processes.
  const actor = desk.execution.events[desk.settings.cursor.event]?.process;
  const chosen = desk.settings.processes;
  const hasChanged = (name: string): boolean => (base?.changes(name, left) ?? []).length > 0;
  const rank = (name: string): number => (hasChanged(name) ? 3 : name === actor ? 2 : chosen.has(name) ? 1 : 0);
  const isNow = new Set(names.filter((name) => isBegun(left, name) || isBegun(right, name)));
  const begun = names.filter((name) => isNow.has(name)).toSorted((a, b) => rank(b) - rank(a));
  const absent = names.filter((name) => !isNow.has(name));
  const isPair = scene.lines.sides.length === 2;
  const title = isPair ? 'States, left and right where they differ' : `States after ${settings.cursor.event + 1}`;
  return (
    <section class="states" aria-label="States" aria-busy={left.states === undefined}>
      <h2>{title}</h2>
      <Comparison desk={desk} onMove={onMove} />
      {begun.slice(0, STATES_MAX).map((name) =>
        isPair && !isSame(left, right, name) ? (
          <div key={name} class="two">
            <One name={name} moment={left} />
            <One name={name} moment={right} />
          </div>
        ) : (
          <One key={name} name={name} moment={left} base={base} />
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

/** Which event the states are compared with, and how to choose another one. */
function Comparison({ desk, onMove }: Props) {
  const { base, cursor } = desk.settings;
  if (desk.scene.lines.sides.length === 2) return null;
  return base === undefined ? (
    <button
      type="button"
      class="event-link"
      title="Then go to any other event (m)"
      onClick={() => onMove((now) => now.change({ base: cursor }))}
    >
      Compare this event with another one
    </button>
  ) : (
    <p class="hint">
      {base.event === cursor.event
        ? 'Now go to the event to compare it with. '
        : `Changes between event ${base.event + 1} and this one. `}
      <button type="button" class="event-link inline" onClick={() => onMove((now) => now.change({ base: undefined }))}>
        End the comparison
      </button>
    </p>
  );
}

/** The states at the event to compare with. */
interface Base {
  readonly changes: (name: string, moment: Moment) => readonly Change[];
}

function useBase({ scene, settings: { base, cursor } }: Desk): Base | undefined {
  const execution = scene.execution(base?.side ?? 0);
  const states = useStates(execution, base?.event ?? 0);
  if (base === undefined || base.event === cursor.event || states === undefined || scene.lines.sides.length === 2)
    return undefined;
  const stateIn = (from: Snapshot | undefined, name: string): unknown => from?.get(name)?.state ?? NOTHING;
  return { changes: (name, moment) => changesBetween(stateIn(states, name), stateIn(moment.states, name)) };
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

interface OneProps {
  readonly name: string;
  readonly moment: Moment;
  readonly base?: Base | undefined;
}

function One({ name, moment, base }: OneProps) {
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
      {status === 'up' && state !== undefined && (
        <Data value={state} changes={base?.changes(name, moment) ?? (isActor ? line.changes : [])} />
      )}
    </div>
  );
}
