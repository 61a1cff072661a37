import type { EventLine, EventSentence } from 'culprit/trace';
import { useState } from 'preact/hooks';
import type { Cursor, Desk } from '../model/desk.ts';
import type { Execution } from '../model/execution.ts';
import { Data } from './data.tsx';
import { Glyph, nameOf, shapeOf } from './glyph.tsx';

interface Props {
  readonly desk: Desk;
  readonly onGo: (cursor: Cursor) => void;
}

interface PanelProps extends Props {
  /** Undefined if the page cannot execute anything. */
  readonly onBranch: (() => void) | undefined;
}

/** Maximum number of listed effects; a start may have hundreds. */
const EFFECTS_MAX = 8;

const noSentence: EventSentence = { what: '', changes: [] };

/** The event at the cursor, as a sentence and in full. */
export function EventPanel({ desk, onGo, onBranch }: PanelProps) {
  const { cursor } = desk.settings;
  const { execution } = desk;
  const line = execution.events[cursor.event];
  if (line === undefined) return <p class="empty">There are no events.</p>;
  const { what, changes, at: place } = execution.sentences[cursor.event] ?? noSentence;
  return (
    <section class="event" aria-label="Event">
      <h2>
        <svg width={16} height={16} viewBox="-8 -8 16 16" role="img" aria-label={nameOf(shapeOf(line))}>
          <Glyph shape={shapeOf(line)} x={0} y={0} />
        </svg>
        <span class="number">{line.event}</span> {line.process}
      </h2>
      <p class="words">{what}</p>
      {place !== undefined && (
        <p class="place" title="Location of its handler">
          <code>at {place}</code>
        </p>
      )}
      {changes.length > 0 && (
        <ul class="changes">
          {changes.slice(0, 20).map((change, at) => (
            <li key={at}>{change}</li>
          ))}
        </ul>
      )}
      {desk.folded > 0 && (
        <p class="hint">One of {desk.folded.toLocaleString('en')} folded events: Enter opens them.</p>
      )}
      {onBranch !== undefined && (
        <button type="button" class="branch-here" title="Choose what happens after this event (b)" onClick={onBranch}>
          Branch from here
        </button>
      )}
      <Facts line={line} />
      <Unarrived execution={execution} event={cursor.event} />
      <Links desk={desk} onGo={onGo} />
      <InFull line={line} key={line.event} />
    </section>
  );
}

/** Its contents and effects, without the change of state. */
function Facts({ line }: { readonly line: EventLine }) {
  return (
    <dl class="facts">
      {'message' in line && <Fact name="message" value={line.message} />}
      {'payload' in line && line.payload !== undefined && <Fact name="payload" value={line.payload} />}
      {'args' in line && line.args !== undefined && <Fact name="arguments" value={line.args} />}
      {'value' in line && line.value !== undefined && <Fact name={line.key} value={line.value} />}
      {line.output !== undefined && <Fact name="sent outside" value={line.output} />}
      {line.log !== undefined && <Fact name="logged" value={line.log} />}
      {line.dropped?.slice(0, 20).map(({ id, to, message, why }) => (
        <Fact key={id} name={`lost to ${to} (${why})`} value={message} />
      ))}
    </dl>
  );
}

/** The messages that it sent and that never arrived. */
function Unarrived({ execution, event }: { readonly execution: Execution; readonly event: number }) {
  const own = execution.undelivered.filter(({ sentBy }) => sentBy === event);
  if (own.length === 0) return null;
  return (
    <ul class="unarrived" aria-label="Never delivered">
      {own.slice(0, EFFECTS_MAX).map(({ what }, at) => (
        <li key={at}>
          <small>never delivered</small> {what}
        </li>
      ))}
      {own.length > EFFECTS_MAX && <li class="hint">and {own.length - EFFECTS_MAX} more</li>}
    </ul>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: unknown }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <Data value={value} />
    </dd>
  </>
);

/** Its cause and its effects. */
function Links({ desk, onGo }: Props) {
  const { side, event } = desk.settings.cursor;
  const { execution } = desk;
  const cause = (execution.events[event]?.cause ?? 0) - 1;
  const effects = execution.effectsOf(event);
  const go = (to: number): void => onGo({ side, event: to });
  return (
    <div class="links">
      {cause >= 0 && <EventLink word="because of" execution={execution} event={cause} onGo={go} />}
      {effects.slice(0, EFFECTS_MAX).map((effect) => (
        <EventLink key={effect} word="led to" execution={execution} event={effect} onGo={go} />
      ))}
      {effects.length > EFFECTS_MAX && <p class="hint">and {effects.length - EFFECTS_MAX} more</p>}
    </div>
  );
}

interface EventLinkProps {
  readonly word: string;
  readonly execution: Execution;
  readonly event: number;
  readonly onGo: (event: number) => void;
}

const EventLink = ({ word, execution, event, onGo }: EventLinkProps) => (
  <button type="button" class="event-link" onClick={() => onGo(event)}>
    <small>{word}</small> <span class="number">{event + 1}</span> {execution.events[event]?.process}{' '}
    {execution.sentences[event]?.what}
  </button>
);

/** Longer lines are cut: such files need another viewer. */
const FULL_MAX = 100_000;

function InFull({ line }: { readonly line: EventLine }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="in-full" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Raw data</summary>
      {isOpen && <pre>{JSON.stringify(line, undefined, 1).slice(0, FULL_MAX)}</pre>}
    </details>
  );
}
