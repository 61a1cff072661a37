import type { Desk } from '../model/desk.ts';
import type { Side } from '../model/lines.ts';
import { shortly } from '../model/summary.ts';

/** Below the last event: how the execution ended, and which messages never arrived. */
export function Ending({ desk }: { readonly desk: Desk }) {
  return (
    <div class="endings">
      {desk.scene.lines.sides.map((side) => (
        <End key={side} desk={desk} side={side} />
      ))}
    </div>
  );
}

function End({ desk, side }: { readonly desk: Desk; readonly side: Side }) {
  const { verdict, undelivered } = desk.scene.execution(side);
  return (
    <div class="ending" data-side={side}>
      <p class={`verdict ${verdict.verdict}`}>
        {verdict.verdict === 'violated' && `✗ ${verdict.oracle}: ${shortly(verdict.message)}`}
        {verdict.verdict === 'holds' && '✓ holds in this execution'}
        {verdict.verdict === 'unknown' && `? unknown: ${verdict.why}`}
      </p>
      {undelivered > 0 && (
        <p>
          {undelivered.toLocaleString('en')} {undelivered === 1 ? 'message was' : 'messages were'} never delivered
          (dashed, with an open end)
        </p>
      )}
    </div>
  );
}
