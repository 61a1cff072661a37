import type { EventLine } from 'culprit/trace';
import type { Side } from './lines.ts';
import type { Scene } from './scene.ts';
import { loopsOf } from './loops.ts';
import { sortOf } from './sort.ts';

/** Why lines are folded together. Lines with the same fold, one after the other, are one row. */
export type Fold =
  | { readonly kind: 'irrelevant' }
  | { readonly kind: 'one-sided'; readonly side: Side }
  /** The events before it happen again; this many are one round. */
  | { readonly kind: 'loop'; readonly period: number };

const IRRELEVANT: Fold = { kind: 'irrelevant' };
const ONE_SIDED: readonly Fold[] = ([0, 1] as const).map((side) => ({ kind: 'one-sided', side }));

/**
 * The fold of every line, if it may be folded: what only one of two executions has, what did not lead to the violation,
 * and repetitions.
 */
export function foldsOf(scene: Scene): readonly (Fold | undefined)[] {
  const { lines } = scene;
  const loops = lines.sides.length === 1 ? repeatedIn(scene) : [];
  return Array.from({ length: lines.length }, (_, line) => {
    const how = lines.how(line);
    if (how === 'left') return isWhole(scene, 0) ? undefined : ONE_SIDED[0];
    if (how === 'right') return isWhole(scene, 1) ? undefined : ONE_SIDED[1];
    return scene.isIdle(line) ? IRRELEVANT : loops[line];
  });
}

/** A minimized execution beside another one has no folds: it is what the other one is compared with. */
const isWhole = ({ executions }: Scene, side: Side): boolean =>
  executions[side]?.header.minimized !== undefined && executions[1 - side]?.header.minimized === undefined;

/** The rounds of every repetition but the first. The violation is no part of one. */
function repeatedIn(scene: Scene): (Fold | undefined)[] {
  const { events } = scene.execution(0);
  const folds = Array.from<Fold | undefined>({ length: events.length });
  for (const { first, last, period } of loopsOf(events.slice(0, -1).map(shapeOf)))
    folds.fill({ kind: 'loop', period }, first + period, last + 1);
  return folds;
}

/** Events of one shape look alike to a reader who counts them. */
const shapeOf = (line: EventLine): string =>
  `${line.kind} ${line.process} ${'from' in line ? line.from : ''} ${sortOf(line)}`;

/** A fold in words. */
export function foldWords(fold: Fold, count: number, { executions }: Scene): string {
  const events = `${count.toLocaleString('en')} events`;
  switch (fold.kind) {
    case 'irrelevant':
      return `${events} that did not lead to it`;
    case 'one-sided':
      return `${events} only in ${executions[fold.side]?.file ?? 'the other'}`;
    case 'loop': {
      const times = Math.floor(count / fold.period).toLocaleString('en');
      const what = fold.period === 1 ? 'the event above' : `the ${fold.period} events above`;
      return `${what}, ${times} more times`;
    }
  }
}
