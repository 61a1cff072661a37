import type { Desk } from '../model/desk.ts';
import type { Side } from '../model/lines.ts';
import { laneWidth, NARROW_LANE } from './measures.ts';
import { toggled } from './toggled.ts';

interface Props {
  readonly desk: Desk;
  readonly hasOdds: boolean;
  readonly onMove: (move: (desk: Desk) => Desk) => void;
}

/**
 * The heads of the columns: the execution and its processes. A click on a name shows only the events of that process.
 */
export function Heads({ desk, hasOdds, onMove }: Props) {
  const { lines } = desk.scene;
  const isNarrow = laneWidth(desk.scene) < NARROW_LANE;
  return (
    <div class={`heads ${isNarrow ? 'narrow' : ''}`}>
      {lines.sides.flatMap((side) => [
        <div key={`list ${side}`} class="list-head">
          {lines.sides.length === 2 ? desk.scene.execution(side).file : 'event'}
        </div>,
        <Lanes key={`lanes ${side}`} desk={desk} side={side} onMove={onMove} />,
      ])}
      {hasOdds && (
        <div class="odds-head" title="Share of continuations from here that violate the oracle">
          odds
        </div>
      )}
    </div>
  );
}

function Lanes({ desk, side, onMove }: Omit<Props, 'hasOdds'> & { readonly side: Side }) {
  const width = laneWidth(desk.scene);
  const { lanes, events, verdict } = desk.scene.execution(side);
  const { processes, cursor } = desk.settings;
  const witnesses = verdict.verdict === 'violated' ? verdict.processes : [];
  const actor = cursor.side === side ? events[cursor.event]?.process : undefined;
  return (
    <div class="lanes" data-side={side}>
      {lanes.map((name) => (
        <button
          key={name}
          type="button"
          class={`lane-head ${name === actor ? 'here' : ''} ${witnesses.includes(name) ? 'witness' : ''}`}
          style={{ width: `${width}px` }}
          title={`${name}: show only its events`}
          aria-pressed={processes.has(name)}
          onClick={() => onMove((now) => now.change({ processes: toggled(now.settings.processes, name) }))}
        >
          <span>{name}</span>
        </button>
      ))}
    </div>
  );
}
