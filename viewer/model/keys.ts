import type { Desk } from './desk.ts';

/** Rows per page key. */
const PAGE = 20;

type Move = (desk: Desk) => Desk;

/** The effect of each key. Keys that browsers use are handled only while the list has the focus. */
export const moves: Readonly<Record<string, Move>> = {
  ArrowDown: (desk) => desk.step(1),
  j: (desk) => desk.step(1),
  ArrowUp: (desk) => desk.step(-1),
  k: (desk) => desk.step(-1),
  PageDown: (desk) => desk.step(PAGE),
  PageUp: (desk) => desk.step(-PAGE),
  Home: (desk) => desk.toRow(0),
  End: (desk) => desk.toRow(desk.rows.length - 1),
  n: (desk) => desk.alongProcess(1),
  p: (desk) => desk.alongProcess(-1),
  Enter: (desk) => (desk.folded > 0 ? desk.open(desk.line) : desk),
  ArrowLeft: (desk) => desk.toRow(desk.row, 0),
  ArrowRight: (desk) => desk.toRow(desk.row, 1),
  v: toViolation,
  d: (desk) => desk.go(desk.scene.start),
  f: (desk) => desk.change({ isFolding: !desk.settings.isFolding, opened: new Set() }),
  c: (desk) => desk.change({ isCone: !desk.settings.isCone }),
  m: (desk) => desk.change({ base: desk.settings.base === undefined ? desk.settings.cursor : undefined }),
  o: (desk) => desk.change({ isOnlyFound: !desk.settings.isOnlyFound }),
  t: (desk) => desk.change({ isTopology: !desk.settings.isTopology }),
};

function toViolation(desk: Desk): Desk {
  const { side } = desk.settings.cursor;
  const { violation } = desk.scene.execution(side);
  return violation === undefined ? desk : desk.go({ side, event: violation });
}

/** For the page's help, in the order of use. */
export const keyHelp: readonly (readonly [keys: string, what: string])[] = [
  ['↓ j  ↑ k', 'next, previous event'],
  ['n  p', 'next, previous event of the same process'],
  ['Home  End', 'first, last event'],
  ['v', 'to the violation'],
  ['d', 'to the first difference of two executions'],
  ['←  →', 'left, right execution'],
  ['/', 'search text, or a field: term=2; Enter and Shift+Enter step through the matches'],
  ['o', 'show only the matches'],
  ['m', 'compare the states at this event with those at another one'],
  ['Enter', 'open a fold'],
  ['f', 'fold events that did not lead to the violation'],
  ['c', 'only events causally before and after this one'],
  ['t', 'show or hide the topology, if there is one'],
  ['b', 'branch from here, if `culprit view` shows the page'],
  ['?', 'this help'],
];
