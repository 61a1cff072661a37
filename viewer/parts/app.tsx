import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Desk, type Cursor } from '../model/desk.ts';
import { moves } from '../model/keys.ts';
import { cursorIn, hashOf, settingsIn } from '../model/link.ts';
import type { Scene } from '../model/scene.ts';
import { BranchPanel, type BranchActions, type BranchState } from './branch-panel.tsx';
import { Divider } from './divider.tsx';
import { EventPanel } from './event-panel.tsx';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { ShrinkCurvePanel } from './shrink-curve-panel.tsx';
import { Sheet } from './sheet.tsx';
import { StatesPanel } from './states-panel.tsx';
import { toggleTheme } from './theme.ts';
import { TopologyPanel } from './topology/topology-panel.tsx';
import { Tools } from './tools.tsx';
import { VerdictPanel } from './verdict-panel.tsx';
import { WhyPanel } from './why-panel.tsx';

interface Props {
  readonly scene: Scene;
  readonly branch: BranchState | undefined;
  /** Undefined for a page that cannot execute anything. */
  readonly branches: BranchActions | undefined;
}

/** The whole page. A new scene replaces this one and keeps the cursor. */
export function App({ scene, branch, branches }: Props) {
  const [kept, setDesk] = useState(() => opened(scene));
  const [isHelp, setHelp] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const desk = useMemo(() => (kept.scene === scene ? kept : kept.replace(scene)), [kept, scene]);
  const move = (how: (now: Desk) => Desk): void =>
    setDesk((now) => how(now.scene === scene ? now : now.replace(scene)));
  const go = (cursor: Cursor): void => move((now) => now.go(cursor));
  const isRecorded = desk.settings.cursor.side === 0;
  const leave = branches && isRecorded ? (): void => branches.begin(desk.settings.cursor.event + 1) : undefined;
  useKeys(move, { '/': () => search.current?.focus(), '?': () => setHelp((isOpen) => !isOpen), b: leave });
  useAddress(desk, move);
  const topology = desk.settings.isTopology ? desk.execution.topology : undefined;
  return (
    <div class="page">
      <div class="bar">
        <Header desk={desk} onMove={move} />
        <Tools desk={desk} search={search} onMove={move} onTheme={toggleTheme} onHelp={() => setHelp(true)} />
      </div>
      <main>
        <div class={topology === undefined ? 'left' : 'left with-topology'}>
          <Sheet desk={desk} onMove={move} />
          {topology !== undefined && (
            <>
              <Divider property="--topology" isVertical={false} name="Height of the topology" />
              <TopologyPanel desk={desk} topology={topology} onMove={move} />
            </>
          )}
        </div>
        <Divider property="--panel" isVertical name="Width of the panel" />
        <aside class="panel" tabIndex={-1}>
          {branch !== undefined && branches !== undefined && <BranchPanel state={branch} actions={branches} />}
          <VerdictPanel desk={desk} />
          <WhyPanel desk={desk} onMove={move} />
          <EventPanel desk={desk} onGo={go} onBranch={leave} />
          <StatesPanel desk={desk} onMove={move} />
          <ShrinkCurvePanel desk={desk} />
        </aside>
      </main>
      <div class="spoken" aria-live="polite">
        {spoken(desk)}
      </div>
      <Help isOpen={isHelp} onClose={() => setHelp(false)} />
    </div>
  );
}

/** The event and the choices in the address, or the initial ones. */
const opened = (scene: Scene): Desk => followed(Desk.at(scene));

function followed(desk: Desk): Desk {
  const cursor = cursorIn(location.hash);
  if (cursor === undefined || cursor.side >= desk.scene.executions.length) return desk;
  return desk.change(settingsIn(location.hash)).go(cursor);
}

function useKeys(move: Move, others: Readonly<Record<string, (() => void) | undefined>>): void {
  // Keys work as soon as something is visible.
  useLayoutEffect(() => {
    const pressed = (key: KeyboardEvent): void => {
      if (key.ctrlKey || key.metaKey || key.altKey || isTyping(key)) return;
      const other = Object.hasOwn(others, key.key) ? others[key.key] : undefined;
      if (other !== undefined) other();
      else if (Object.hasOwn(moves, key.key)) move(moves[key.key] as (now: Desk) => Desk);
      else return;
      key.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}

type Move = (how: (now: Desk) => Desk) => void;

/** Whether the key belongs to the focused element. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || document.querySelector('dialog[open]') !== null) return true;
  if (target.matches('input, select, textarea')) return true;
  return target.matches('button, summary') && (key === 'Enter' || key === ' ');
}

/** Browsers refuse frequent changes of the address. */
const ADDRESS_MS = 250;

/** Keeps the cursor and the choices of the reader in the address, so that a link leads to the same view, and follows such links. */
function useAddress({ scene, settings }: Desk, move: Move): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    const hash = hashOf(settings, Desk.freshSettings(scene));
    const timer = setTimeout(() => history.replaceState(null, '', hash), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [settings]);
  useLayoutEffect(() => {
    const follow = (): void => move(followed);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  });
}

/** Announces the event at the cursor to screen readers. */
function spoken(desk: Desk): string {
  const { event } = desk.settings.cursor;
  const { what = '', changes = [] } = desk.execution.sentences[event] ?? {};
  const violation = desk.execution.violation === event ? ' The violation is here.' : '';
  return `${event + 1}, ${desk.execution.events[event]?.process ?? ''} ${what}. ${changes.join(', ')}${violation}`;
}
