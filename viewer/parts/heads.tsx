import type { Desk } from '../model/desk.ts';
import type { Layout } from '../model/layout.ts';
import type { Side } from '../model/lines.ts';
import { toggled } from './toggled.ts';

interface Props {
  readonly desk: Desk;
  readonly layout: Layout;
  readonly onMove: (move: (desk: Desk) => Desk) => void;
}

/**
 * The heads of the columns: the execution and its processes. A click on a name shows only the events of that process.
 */
export function Heads({ desk, layout, onMove }: Props) {
  const { lines } = desk.scene;
  return (
    <div class={`heads ${layout.hasVerticalNames ? 'narrow' : ''}`}>
      {lines.sides.flatMap((side) => [
        <div key={`list ${side}`} class="list-head">
          {lines.sides.length === 2 ? desk.scene.execution(side).file : 'event'}
        </div>,
        <Lanes key={`lanes ${side}`} desk={desk} layout={layout} side={side} onMove={onMove} />,
      ])}
      {layout.hasOdds && (
        <div class="odds-head" title="Share of continuations from here that violate the oracle">
          odds
        </div>
      )}
    </div>
  );
}

function Lanes({ desk, layout, side, onMove }: Props & { readonly side: Side }) {
  const lanes = layout.sides[side];
  const { events, witnesses } = desk.scene.execution(side);
  const { processes, cursor } = desk.settings;
  const actor = cursor.side === side ? events[cursor.event]?.process : undefined;
  return (
    <div class="lanes" data-side={side}>
      {lanes !== undefined &&
        lanes.width > 0 &&
        lanes.names.map((name) => (
          <button
            key={name}
            type="button"
            class={`lane-head ${name === actor ? 'here' : ''} ${witnesses.includes(name) ? 'witness' : ''}`}
            style={{ width: `${lanes.laneWidth(name)}px` }}
            title={`${name}: click to show only its events, drag or Shift+← → to move its line`}
            draggable
            onDragStart={({ dataTransfer }) => dataTransfer?.setData('text/plain', name)}
            onDragOver={(drag) => drag.preventDefault()}
            onDrop={(drop) => {
              drop.preventDefault();
              const dropped = drop.dataTransfer?.getData('text/plain') ?? '';
              onMove((now) => now.moveLane(dropped, name));
            }}
            onKeyDown={(key) => {
              const by = key.key === 'ArrowLeft' ? -1 : key.key === 'ArrowRight' ? 2 : 0;
              if (!key.shiftKey || by === 0) return;
              key.stopPropagation();
              const at = lanes.names.indexOf(name) + by;
              if (at >= 0) onMove((now) => now.moveLane(name, lanes.names[at]));
            }}
            aria-pressed={processes.has(name)}
            onClick={() => onMove((now) => now.change({ processes: toggled(now.settings.processes, name) }))}
          >
            <span>{name}</span>
          </button>
        ))}
    </div>
  );
}
