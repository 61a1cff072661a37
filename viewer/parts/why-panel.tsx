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
const order: readonly Counterfactual['outcome'][] = ['holds', 'other', 'unknown', 'violated'];

/** The race and what else a reader should know, then all that was tried. A click marks the events of a change. */
export function WhyPanel({ desk, onMove }: Props) {
  const { why, reasons } = desk.scene;
  if (why === undefined) return null;
  const tried = why.counterfactuals
    .filter(({ outcome }) => outcome !== 'impossible')
    .toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  const part = { desk, onMove };
  return (
    <section class="why" aria-label="Why">
      <h2>Why</h2>
      {why.answer !== why.race?.what && <p class="words">{why.answer}</p>}
      {why.race !== undefined && <Alternative {...part} class="race" of={why.race} />}
      {reasons.map(({ label, events, what }, at) => (
        <Change key={at} {...part} class="reason" sign={label} events={events} what={what} />
      ))}
      <details class="more">
        <summary>Odds, and all {tried.length.toLocaleString('en')} changes that were tried</summary>
        <OddsChart {...part} />
        {tried.map((one, at) => (
          <Alternative key={at} {...part} of={one} />
        ))}
      </details>
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

function Alternative({ of, class: more = '', ...part }: AlternativeProps) {
  const { event, before, along = [], outcome, what } = of;
  const events = [event, ...(before === undefined ? [] : [before]), ...along];
  return <Change {...part} class={`${outcome} ${more}`} sign={signs[outcome]} events={events} what={what} />;
}

interface ChangeProps extends Props {
  readonly class: string;
  readonly sign: string;
  /** Numbered from 1; the first is the one to look at. */
  readonly events: readonly number[];
  readonly what: string;
}

function Change({ desk, onMove, class: more, sign, events, what }: ChangeProps) {
  const marked = events.map((event) => event - 1);
  const isMarked = marked.join() === desk.settings.marked.join();
  const pick = (now: Desk): Desk =>
    now.go({ side: 0, event: marked[0] ?? 0 }).change({ marked: isMarked ? [] : marked });
  return (
    <button type="button" class={`alternative ${more}`} aria-pressed={isMarked} onClick={() => onMove(pick)}>
      <span class="sign">{sign}</span> <span>{what}</span>
    </button>
  );
}
