import { fromPortable, toPortable } from '../../trace/json-encoding.ts';
import type { External, Internal } from '../../trace/event.ts';
import type { Footprint } from '../dependence/footprint.ts';
import type { Branch, NamedTransition } from './wakeup-tree.ts';

/** What is left of an exploration, as JSON: another process can go on with it. */
export interface SavedExplorationStack {
  /** The resources that are states of processes. */
  readonly local: readonly string[];
  readonly isAsync: boolean;
  /** What is left to explore from the first world; what is left from later ones is in there, as each is its first branch. */
  readonly tree: readonly SavedBranch[];
  readonly frames: readonly SavedFrame[];
  /** The last world: a digest, to see that the same still leads there. */
  readonly world?: string;
  /** Of a piece, see `Subtrees`: the first frame whose branches are its own. Those before are explored by others. */
  readonly floor?: number;
  /** How many frames are kept when nothing is left to explore from the last of them. */
  readonly held?: number;
}

export interface SavedFrame {
  readonly asleep: readonly SavedNamed[];
  /** What others begin with there, later in order: it is not asleep, but nobody needs to be told. */
  readonly elsewhere?: readonly SavedNamed[];
  readonly explored: number;
  /** What the step that leads there races with, and what else was there when that was last tried. */
  readonly races: readonly { readonly steps: readonly number[]; readonly triedAmong?: number }[];
}

export interface SavedNamed {
  readonly key: number;
  readonly step: unknown;
  readonly foot: SavedFootprint;
}

/** Resources by name: numbers are only good for one exploration. */
interface SavedFootprint {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/** Gives numbers to resources. */
export interface Numbering {
  nameOf(number: number): string;
  numberOf(resource: string): number;
}

export interface SavedBranch extends SavedNamed {
  readonly children: readonly SavedBranch[];
}

/** What was saved does not fit what is there now: the same steps touch other things, or lead elsewhere. */
export class StaleCheckpoint extends Error {
  override readonly name = 'Unfit';
}

export const savedNamed = ({ key, step, foot }: NamedTransition, numbering: Numbering): SavedNamed => ({
  key,
  step: toPortable(step, 'an event'),
  foot: {
    writes: foot.writes.map((resource) => numbering.nameOf(resource)),
    reads: foot.reads.map((resource) => numbering.nameOf(resource)),
  },
});

export const savedBranch = (branch: Branch, numbering: Numbering): SavedBranch => ({
  ...savedNamed(branch, numbering),
  children: branch.children.map((child) => savedBranch(child, numbering)),
});

export const namedIn = ({ key, step, foot }: SavedNamed, numbering: Numbering): NamedTransition => ({
  key,
  step: fromPortable(step) as Internal | External,
  foot: {
    writes: foot.writes.map((resource) => numbering.numberOf(resource)),
    reads: foot.reads.map((resource) => numbering.numberOf(resource)),
  },
});

export const branchIn = (saved: SavedBranch, numbering: Numbering): Branch => ({
  ...namedIn(saved, numbering),
  children: saved.children.map((child) => branchIn(child, numbering)),
});

export const isSameFootprint = (one: Footprint, other: Footprint): boolean =>
  isSame(one.writes, other.writes) && isSame(one.reads, other.reads);

const isSame = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((resource, at) => resource === others[at]);
