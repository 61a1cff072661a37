import type { Desk } from '../model/desk.ts';
import type { Side } from '../model/lines.ts';
import { shortly, summaryOf } from '../model/summary.ts';
import { Doing } from './doing.tsx';

interface Props {
  readonly desk: Desk;
  readonly onMove: (move: (desk: Desk) => Desk) => void;
}

/** The system, and the verdict. */
export function Header({ desk, onMove }: Props) {
  const { scene } = desk;
  const { header } = scene.execution(0);
  const sizes = scene.executions.map((execution) => summaryOf(execution.header)).join(' · ');
  return (
    <header class="title">
      <div class="what-it-is">
        <h1>{header.system}</h1>
        <p>
          {[...new Set([header.module, ...scene.executions.map(({ file }) => file), sizes])]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {scene.live !== undefined && <Doing live={scene.live} />}
      <div class="verdicts">
        {scene.lines.sides.map((side) => (
          <Verdict key={side} desk={desk} side={side} onMove={onMove} />
        ))}
      </div>
    </header>
  );
}

function Verdict({ desk, side, onMove }: Props & { readonly side: Side }) {
  const { verdict, violation } = desk.scene.execution(side);
  if (verdict.verdict === 'holds') return <p class="verdict holds">✓ holds</p>;
  if (verdict.verdict === 'unknown') return <p class="verdict unknown">? unknown: {verdict.why}</p>;
  return (
    <button
      type="button"
      class="verdict violated"
      title="To the violation (v)"
      onClick={() => onMove((now) => now.go({ side, event: violation ?? 0 }))}
    >
      <b>✗ {verdict.oracle}</b> <span>{shortly(verdict.message)}</span>
    </button>
  );
}
