import type { Desk } from '../model/desk.ts';
import type { Side } from '../model/lines.ts';
import { shortly } from '../model/summary.ts';

interface Props {
  readonly desk: Desk;
  readonly onMove: (move: (desk: Desk) => Desk) => void;
}

/** Below the last event: how the execution ended, and which messages never arrived. */
export function Ending({ desk, onMove }: Props) {
  return (
    <div class="endings">
      {desk.scene.lines.sides.map((side) => (
        <End key={side} desk={desk} side={side} onMove={onMove} />
      ))}
    </div>
  );
}

function End({ desk, side, onMove }: Props & { readonly side: Side }) {
  const { verdict, undelivered } = desk.scene.execution(side);
  return (
    <div class="ending" data-side={side}>
      <p class={`verdict ${verdict.verdict}`}>
        {verdict.verdict === 'violated' && `✗ ${verdict.oracle}: ${shortly(verdict.message)}`}
        {verdict.verdict === 'holds' && '✓ holds in this execution'}
        {verdict.verdict === 'unknown' && `? unknown: ${verdict.why}`}
      </p>
      {undelivered.length > 0 && (
        <details class="undelivered">
          <summary>
            {undelivered.length.toLocaleString('en')} {undelivered.length === 1 ? 'message was' : 'messages were'} never
            delivered (dashed, with an open end)
          </summary>
          {undelivered.slice(0, UNDELIVERED_MAX).map(({ sentBy, what }, at) => (
            <button
              key={at}
              type="button"
              class="event-link"
              onClick={() => onMove((now) => now.go({ side, event: sentBy }))}
            >
              {what} <small>sent in {sentBy + 1}</small>
            </button>
          ))}
          {undelivered.length > UNDELIVERED_MAX && <p>and {undelivered.length - UNDELIVERED_MAX} more</p>}
        </details>
      )}
    </div>
  );
}

/** Further ones are found at the events that sent them. */
const UNDELIVERED_MAX = 100;
