import type { Counterfactual } from 'culprit/trace';
import type { Desk } from '../model/desk.ts';
import { OddsChart } from './odds-chart.tsx';

interface Props {
  readonly desk: Desk;
  readonly onMove: (move: (desk: Desk) => Desk) => void;
}

const signs: Readonly<Record<Counterfactual['outcome'], string>> = {
  holds: '✓',
  violated: '✗',
  other: '≠',
  unknown: '?',
  impossible: '–',
};

/** Counterfactuals that prevent the violation come first. */
const order: readonly Counterfactual['outcome'][] = ['holds', 'other', 'unknown', 'violated', 'impossible'];

/** The counterfactuals. A click marks the events of one. */
export function WhyPanel({ desk, onMove }: Props) {
  const { why } = desk.scene;
  if (why === undefined) return null;
  const rest = why.counterfactuals.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  return (
    <section class="why" aria-label="Why">
      <h2>Why</h2>
      {why.answer !== why.race?.what && <p class="words">{why.answer}</p>}
      {why.race !== undefined && <Alternative class="race" of={why.race} desk={desk} onMove={onMove} />}
      <OddsChart desk={desk} onMove={onMove} />
      <div class="alternatives">
        {rest.map((one, at) => (
          <Alternative key={at} of={one} desk={desk} onMove={onMove} />
        ))}
      </div>
      {why.limits.map((limit, at) => (
        <p key={at} class="hint">
          {limit}
        </p>
      ))}
    </section>
  );
}

interface AlternativeProps extends Props {
  readonly of: Counterfactual;
  readonly class?: string;
}

function Alternative({ of, class: more = '', desk, onMove }: AlternativeProps) {
  const { before, along = [] } = of;
  const events = [of.event, ...(before === undefined ? [] : [before]), ...along].map((event) => event - 1);
  const isMarked = events.join() === desk.settings.marked.join();
  const pick = (now: Desk): Desk => now.go({ side: 0, event: of.event - 1 }).change({ marked: isMarked ? [] : events });
  return (
    <button
      type="button"
      class={`alternative ${of.outcome} ${more}`}
      aria-pressed={isMarked}
      title={of.outcome}
      onClick={() => onMove(pick)}
    >
      <span class="sign">{signs[of.outcome]}</span> <span>{of.what}</span>
    </button>
  );
}
