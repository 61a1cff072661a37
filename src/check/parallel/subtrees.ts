import type { Proposal } from '../search/proposal.ts';
import type { SavedBranch, SavedFrame, SavedNamed, SavedExplorationStack } from '../search/saved.ts';

/** The result of exploring a subtree for a while. */
export interface Explored {
  readonly saved: SavedExplorationStack;
  /** The frame at whose branches the subtree is divided, if it is. */
  readonly divideAt?: number;
  readonly proposals: readonly Proposal[];
}

/** Subtrees as JSON. */
export interface SavedSubtrees {
  readonly pieces: readonly SavedPiece[];
  readonly done: number;
}

interface SavedPiece {
  readonly saved: SavedExplorationStack;
  /** The number of the parent piece. */
  readonly parent?: number;
  readonly weight: number;
  readonly inbox: readonly Proposal[];
}

/** A part of the unexplored tree that needs no other part for a while. */
export class Subtree {
  /** The pieces that begin at worlds of this one. */
  readonly children = new Set<Subtree>();
  /** Proposals of other pieces that this one has to explore. */
  inbox: Proposal[] = [];

  constructor(
    public saved: SavedExplorationStack,
    public parent: Subtree | undefined,
    /** The estimated share of the whole tree. */
    public weight: number,
  ) {
    parent?.children.add(this);
  }

  get floor(): number {
    return this.saved.floor ?? 0;
  }

  /** The last frame that has to stay because a child begins there. */
  get held(): number {
    return Math.max(this.floor, ...[...this.children].map(({ floor }) => floor));
  }

  get isReady(): boolean {
    return this.inbox.length > 0 || this.hasBranch;
  }

  private get hasBranch(): boolean {
    const trees = treesOf(this.saved);
    const first = Math.max(this.floor, this.held - 1);
    return trees.some((tree, at) => (at === trees.length - 1 ? tree.length > 0 : at >= first && tree.length > 1));
  }

  adopt(children: Iterable<Subtree>): void {
    for (const child of children) {
      child.parent?.children.delete(child);
      child.parent = this;
      this.children.add(child);
    }
  }

  /** The subtree that owns the world of this number. */
  ownerOf(at: number): Subtree {
    return at >= this.floor || this.parent === undefined ? this : this.parent.ownerOf(at);
  }
}

/**
 * The unexplored rest of a reduced exploration, in pieces that can be explored at the same time. A piece is divided at a
 * world with several unexplored branches: each branch becomes a piece of its own, in which the earlier ones are asleep. The
 * divided piece keeps the worlds up to there, and waits. A race may have to be reversed before the point where a piece
 * begins: the reversal is proposed to the owner of that world, which decides whether one of its branches covers it.
 *
 * Every execution is explored in one piece. But a branch takes no more proposals once it is a piece, so some executions may
 * be redundant. The result of a round does not depend on which thread explores which piece, or when.
 */
export class Subtrees {
  private readonly all: Subtree[] = [];
  /** The weight of all finished pieces. */
  private done = 0;

  static of(saved: SavedExplorationStack): Subtrees {
    return Subtrees.restored({ pieces: [{ saved, weight: 1, inbox: [] }], done: 0 });
  }

  static restored({ pieces, done }: SavedSubtrees): Subtrees {
    const made = new Subtrees();
    for (const { saved, parent, weight, inbox } of pieces) {
      const piece = new Subtree(saved, parent === undefined ? undefined : made.all[parent], weight);
      piece.inbox.push(...inbox);
      made.all.push(piece);
    }
    made.done = done;
    made.leave();
    return made;
  }

  save(): SavedSubtrees {
    const pieces = this.all.map(({ saved, parent, weight, inbox }) => ({
      saved,
      ...(parent === undefined ? {} : { parent: this.all.indexOf(parent) }),
      weight,
      inbox,
    }));
    return { pieces, done: this.done };
  }

  get isDone(): boolean {
    return this.all.length === 0;
  }

  /** The estimated share that has been explored. */
  get share(): number {
    return this.all.reduce((sum, { saved, weight }) => sum + weight * shareOf(saved), this.done);
  }

  /** The pieces that have something to explore, in order. */
  get ready(): Subtree[] {
    return this.all.filter(({ isReady }) => isReady);
  }

  /** A subtree in the form that a thread explores. */
  handOut(piece: Subtree): { readonly saved: SavedExplorationStack; readonly proposals: readonly Proposal[] } {
    const { floor, held, inbox, saved } = piece;
    const frames = saved.frames.map((frame, at) => (at < floor ? withElsewhere(frame, piece, at) : frame));
    piece.inbox = [];
    return { saved: { ...saved, frames, floor, held }, proposals: inbox };
  }

  /** Takes the results of all pieces that were handed out, in order. */
  takeBack(explored: readonly (readonly [piece: Subtree, explored: Explored])[]): void {
    for (const [piece, { saved, divideAt }] of explored) {
      piece.saved = saved;
      if (divideAt !== undefined) this.divide(piece, divideAt);
    }
    for (const [piece, { proposals }] of explored)
      for (const proposal of proposals) piece.ownerOf(proposal.at).inbox.push(proposal);
    this.leave();
  }

  private divide(piece: Subtree, at: number): void {
    const { saved, weight } = piece;
    const inProgress = saved.frames.length > at + 1;
    const branches = treesOf(saved)[at] ?? [];
    const left = weight * (1 - shareOf(saved));
    const below = [...piece.children].filter(({ floor }) => floor > at + 1);
    this.done += weight - left;
    piece.weight = 0;
    const parts = branches.map((branch, nth) => {
      const isFirst = inProgress && nth === 0;
      const begun = { ...cut(saved, at, [branch], branches.slice(0, nth)), floor: at + 1 };
      const { frames, world } = saved;
      const whole = { ...begun, frames: [...begun.frames, ...frames.slice(at + 1)], ...(world && { world }) };
      return new Subtree(isFirst ? whole : begun, piece, left / branches.length);
    });
    piece.saved = cut(saved, at, [], branches);
    if (inProgress) parts[0]?.adopt(below);
    this.all.splice(this.all.indexOf(piece) + 1, 0, ...parts);
  }

  /** Removes the pieces with nothing left: the last first, because others may wait for them. */
  private leave(): void {
    for (const piece of this.all.toReversed()) {
      if (piece.isReady || piece.children.size > 0) continue;
      piece.parent?.children.delete(piece);
      this.done += piece.weight;
      this.all.splice(this.all.indexOf(piece), 1);
    }
  }
}

/** The unexplored branches at each world of the stack. */
function treesOf({ tree, frames }: SavedExplorationStack): (readonly SavedBranch[])[] {
  const trees = [tree];
  while (trees.length < frames.length) trees.push(trees.at(-1)?.[0]?.children ?? []);
  return trees;
}

/** The stack up to that world, with these branches left there and these asleep. */
function cut(
  saved: SavedExplorationStack,
  at: number,
  branches: readonly SavedBranch[],
  asleep: readonly SavedBranch[],
): SavedExplorationStack {
  const { world: _elsewhere, ...rest } = saved;
  const last = saved.frames[at] as SavedFrame;
  const frame = { ...last, asleep: [...last.asleep, ...asleep.map(withoutChildren)], explored: 0 };
  return { ...rest, tree: replaced(saved.tree, at, branches), frames: [...saved.frames.slice(0, at), frame] };
}

/** The tree with other branches at that depth. Other pieces own the branches beside the path. */
function replaced(tree: readonly SavedBranch[], below: number, branches: readonly SavedBranch[]): SavedBranch[] {
  if (below === 0) return [...branches];
  return tree.map((branch, nth) =>
    nth === 0 ? { ...branch, children: replaced(branch.children, below - 1, branches) } : branch,
  );
}

const withoutChildren = ({ key, step, foot }: SavedBranch): SavedNamed => ({ key, step, foot });

function withElsewhere(frame: SavedFrame, piece: Subtree, at: number): SavedFrame {
  const owned = piece.ownerOf(at).saved.frames[at]?.asleep ?? [];
  return { ...frame, elsewhere: owned.filter(({ key }) => frame.asleep.every((other) => other.key !== key)) };
}

/** The explored share of a piece, estimated from the planned branches. */
function shareOf(saved: SavedExplorationStack): number {
  let share = 0;
  let weight = 1;
  const trees = treesOf(saved);
  for (const [at, { explored }] of saved.frames.entries()) {
    if (at < (saved.floor ?? 0)) continue;
    const all = Math.max(1, explored + (trees[at] as readonly SavedBranch[]).length);
    share += (weight * explored) / all;
    weight /= all;
  }
  return share;
}
