import { fromPortable, toPortable } from '../../trace/portable.ts';
import type { External, Internal } from '../../trace/event.ts';
import type { Footprint } from './footprint.ts';
import type { Branch, Named } from './wakeup-tree.ts';

/** What is left of an exploration, as JSON: another process can go on with it. */
export interface SavedPath {
  /** The resources that footprints name by number. */
  readonly resources: readonly string[];
  /** Those that are states of processes, by number. */
  readonly local: readonly number[];
  readonly isAsync: boolean;
  /** What is left to explore from the first world; what is left from later ones is in there, as each is its first branch. */
  readonly tree: readonly SavedBranch[];
  readonly frames: readonly SavedFrame[];
  /** The last world: a digest, to see that the same still leads there. */
  readonly world: string;
}

export interface SavedFrame {
  readonly asleep: readonly SavedNamed[];
  readonly explored: number;
  /** What the step that leads there races with, and what else was there when that was last tried. */
  readonly races: readonly { readonly steps: readonly number[]; readonly triedAmong?: number }[];
}

export interface SavedNamed {
  readonly key: number;
  readonly step: unknown;
  readonly foot: Footprint;
}

export interface SavedBranch extends SavedNamed {
  readonly children: readonly SavedBranch[];
}

/** What was saved does not fit what is there now: the same steps touch other things, or lead elsewhere. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

export const savedNamed = ({ key, step, foot }: Named): SavedNamed => ({
  key,
  step: toPortable(step, 'an event'),
  foot,
});

export const savedBranch = (branch: Branch): SavedBranch => ({
  ...savedNamed(branch),
  children: branch.children.map(savedBranch),
});

export const namedIn = ({ key, step, foot }: SavedNamed): Named => ({
  key,
  step: fromPortable(step) as Internal | External,
  foot,
});

export const branchIn = (saved: SavedBranch): Branch => ({
  ...namedIn(saved),
  children: saved.children.map(branchIn),
});

export const isSameFootprint = (one: Footprint, other: Footprint): boolean =>
  isSame(one.writes, other.writes) && isSame(one.reads, other.reads);

const isSame = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((resource, at) => resource === others[at]);
