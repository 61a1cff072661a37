import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Desk } from '../model/desk.ts';
import { sortsOf } from '../model/sort.ts';
import { saveSvg } from './svg-file.tsx';
import { toggled } from './toggled.ts';

interface Props {
  readonly desk: Desk;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onMove: (move: (desk: Desk) => Desk) => void;
  readonly onTheme: () => void;
  readonly onHelp: () => void;
}

/** Search, filters and switches. */
export function Tools({ desk, search, onMove, onTheme, onHelp }: Props) {
  const { isFolding, isCone, isTopology } = desk.settings;
  const hasIdle = desk.scene.executions.some(({ relevance }) => relevance?.includes(0));
  return (
    <div class="tools" role="toolbar" aria-label="View">
      <Search desk={desk} search={search} onMove={onMove} />
      {desk.settings.query.trim() !== '' && (
        <Switch
          isOn={desk.settings.isOnlyFound}
          what="Only these"
          why="Show only events that match the search (o)"
          onClick={() => onMove((now) => now.change({ isOnlyFound: !now.settings.isOnlyFound }))}
        />
      )}
      <Filters desk={desk} onMove={onMove} />
      {desk.scene.lines.divergence !== undefined && (
        <button
          type="button"
          title="To the first difference (d)"
          onClick={() => onMove((now) => now.go(now.scene.start))}
        >
          First difference
        </button>
      )}
      <Switch
        isOn={isFolding}
        isOff={!hasIdle}
        what="Fold"
        why="Fold events that did not lead to the violation (f)"
        onClick={() => onMove((now) => now.change({ isFolding: !isFolding, opened: new Set() }))}
      />
      <Switch
        isOn={isCone}
        what="Causal only"
        why="Only events causally before and after the one at the cursor (c)"
        onClick={() => onMove((now) => now.change({ isCone: !isCone }))}
      />
      {desk.execution.topology !== undefined && (
        <Switch
          isOn={isTopology}
          what="Topology"
          why="Show the topology after the event at the cursor (t)"
          onClick={() => onMove((now) => now.change({ isTopology: !isTopology }))}
        />
      )}
      <button type="button" title="Save the list and the diagram as an SVG file" onClick={() => saveSvg(desk)}>
        SVG
      </button>
      <button type="button" class="plain" aria-label="Light or dark" title="Light or dark" onClick={onTheme}>
        ◐
      </button>
      <button type="button" class="plain" aria-label="Help" title="Keys and shapes (?)" onClick={onHelp}>
        ?
      </button>
    </div>
  );
}

interface SwitchProps {
  readonly isOn: boolean;
  readonly isOff?: boolean;
  readonly what: string;
  readonly why: string;
  readonly onClick: () => void;
}

const Switch = ({ isOn, isOff = false, what, why, onClick }: SwitchProps) => (
  <button type="button" class="switch" aria-pressed={isOn} disabled={isOff} title={why} onClick={onClick}>
    {what}
  </button>
);

function Search({ desk, search, onMove }: Pick<Props, 'desk' | 'search' | 'onMove'>) {
  const { query } = desk.settings;
  const { found, line } = desk;
  const place = found.indexOf(line) + 1;
  return (
    <div class="search">
      <input
        ref={search}
        type="search"
        placeholder="Search: text, or term=2 ( / )"
        aria-label="Search events"
        value={query}
        onInput={({ currentTarget: { value } }) => onMove((now) => now.change({ query: value }))}
        onKeyDown={(key) => {
          if (key.key === 'Enter') onMove((now) => now.find(key.shiftKey ? -1 : 1));
          if (key.key === 'Escape') key.currentTarget.blur();
        }}
      />
      {query.trim() !== '' && (
        <span class="found-count" role="status">
          {place > 0 ? `${place} of ${found.length}` : `${found.length} found`}
        </span>
      )}
    </div>
  );
}

/** The number of sorts to choose from: rarer ones are found by searching. */
const SORTS_MAX = 40;

function Filters({ desk, onMove }: Pick<Props, 'desk' | 'onMove'>) {
  const { processes, sorts, hidden } = desk.settings;
  const chosen = processes.size + sorts.size + hidden.size;
  const names = [...new Set(desk.scene.executions.flatMap(({ lanes }) => lanes))];
  const all = useMemo(() => sortsOf(desk.scene.executions.flatMap(({ events }) => events)), [desk.scene]);
  const left = desk.scene.lines.sides.length === 1 && chosen > 0 ? `, ${desk.rows.length} rows` : '';
  return (
    <details class="filters">
      <summary>Filter{chosen > 0 && <b>{` ${chosen}${left}`}</b>}</summary>
      <div class="choices">
        <fieldset>
          <legend>Only these processes, or without one</legend>
          {names.map((name) => (
            <div key={name} class="choice">
              <Choice
                name={name}
                isOn={processes.has(name)}
                onClick={() => onMove((now) => now.change({ processes: toggled(now.settings.processes, name) }))}
              />
              <button
                type="button"
                class="plain"
                aria-pressed={hidden.has(name)}
                title={`${hidden.has(name) ? 'Show' : 'Hide'} ${name}: its line and its events`}
                onClick={() => onMove((now) => now.change({ hidden: toggled(now.settings.hidden, name) }))}
              >
                {hidden.has(name) ? '＋' : '－'}
              </button>
            </div>
          ))}
        </fieldset>
        <fieldset>
          <legend>Only these messages and kinds</legend>
          {all.slice(0, SORTS_MAX).map(([name, count]) => (
            <Choice
              key={name}
              name={name}
              count={count}
              isOn={sorts.has(name)}
              onClick={() => onMove((now) => now.change({ sorts: toggled(now.settings.sorts, name) }))}
            />
          ))}
        </fieldset>
        <button
          type="button"
          disabled={chosen === 0}
          onClick={() => onMove((now) => now.change({ processes: new Set(), sorts: new Set(), hidden: new Set() }))}
        >
          Show everything
        </button>
      </div>
    </details>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly count?: number;
  readonly isOn: boolean;
  readonly onClick: () => void;
}

const Choice = ({ name, count, isOn, onClick }: ChoiceProps) => (
  <label class="choice">
    <input type="checkbox" checked={isOn} onChange={onClick} />
    <span title={name}>{name}</span>
    {count !== undefined && <small>{count.toLocaleString('en')}</small>}
  </label>
);
