import { fromPortable, toPortable } from '../../trace/json-encoding.ts';
import type { External, Internal } from '../../trace/event.ts';
import type { Footprint } from '../dependence/footprint.ts';
import type { Branch, NamedTransition } from './wakeup-tree.ts';

/** The unexplored rest of an exploration, as JSON: another process can resume it. */
export interface SavedExplorationStack {
  /** The resources that are states of processes. */
  readonly local: readonly string[];
  readonly isAsync: boolean;
  /** The unexplored branches of the first world. Those of later worlds are nested, because each is the first branch. */
  readonly tree: readonly SavedBranch[];
  readonly frames: readonly SavedFrame[];
  /** The digest of the last world, to verify that the same steps still lead there. */
  readonly world?: string;
  /** The first frame whose branches belong to this piece, see `Subtrees`. Others explore those before. */
  readonly floor?: number;
  /** The number of frames that stay when nothing is left to explore from the last of them. */
  readonly held?: number;
}

export interface SavedFrame {
  readonly asleep: readonly SavedNamed[];
  /** Transitions with which other pieces begin there, later in order. They are not asleep, but need not be proposed. */
  readonly elsewhere?: readonly SavedNamed[];
  readonly explored: number;
  /** The races of the step that leads there, and the events among which each was last tried. */
  readonly races: readonly { readonly steps: readonly number[]; readonly triedAmong?: number }[];
}

export interface SavedNamed {
  readonly key: number;
  readonly step: unknown;
  readonly foot: SavedFootprint;
}

/** Resources by name, because numbers are valid in one exploration only. */
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

/** A checkpoint does not fit the system: the same steps have other footprints, or lead elsewhere. */
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
