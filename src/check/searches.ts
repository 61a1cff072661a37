import { Deepening, type SavedDeepening } from './search/deepening.ts';
import { Dpor, type DporOptions, type SearchEnding, type Visitor } from './search/dpor.ts';
import { RaceReversal, type SavedRaceReversal } from './search/race-reversal.ts';
import { DepthFirst, type InterleavingEnding, type SavedDepthFirst } from './search/depth-first.ts';
import { Mixed, type SavedMixed } from './search/mixed.ts';
import { Novelty, type SavedNovelty } from './search/novelty.ts';
import type { OracleReads } from './dependence/oracle-reads.ts';
import type { Proposal } from './search/proposal.ts';
import type { SavedExplorationStack } from './search/saved.ts';
import { Rdp, type SavedRdp } from './search/rdp.ts';
import { RandomWalks, type SavedRandomWalks } from './search/random-walks.ts';
import type { EstimatedExecution } from './reduce/reduction-estimate.ts';
import { Worlds, type SavedWorlds } from './search/worlds.ts';
import type { ReadSet } from '../oracles/tracked-world.ts';
import type { Steps } from '../kernel/loop.ts';
import type { Session } from '../kernel/ports.ts';
import { Random } from '../kernel/data/random.ts';

/** The names of all searches. */
export const searchNames = [
  'dpor',
  'race-reversal',
  'mixed',
  'blackbox',
  'blackbox-race-reversal',
  'depth',
  'deepening',
  'breadth',
  'worlds',
  'novelty',
  'random',
  'rdp',
] as const;
/** The name of a search algorithm: `dpor`, for example. */
export type SearchName = (typeof searchNames)[number];

/**
 * What a search leaves out. `reduced`: equivalent orders of independent events, so the reads of oracles must be
 * tracked. `exhaustive`: nothing. `stateful`: further paths to a known world. `chance`: random executions only.
 */
export type SearchKind = 'reduced' | 'exhaustive' | 'stateful' | 'chance';

export const kindOf: Readonly<Record<SearchName, SearchKind>> = {
  dpor: 'reduced',
  'race-reversal': 'reduced',
  mixed: 'reduced',
  blackbox: 'reduced',
  'blackbox-race-reversal': 'reduced',
  depth: 'exhaustive',
  deepening: 'exhaustive',
  breadth: 'stateful',
  worlds: 'stateful',
  novelty: 'stateful',
  random: 'chance',
  rdp: 'chance',
};

/** The state of an exploration, as JSON. */
export type SavedExploration =
  | SavedExplorationStack
  | SavedRaceReversal
  | SavedMixed
  | SavedDepthFirst
  | SavedDeepening
  | SavedWorlds
  | SavedNovelty
  | SavedRandomWalks
  | SavedRdp;

export interface Exploration {
  /** Pauses after each execution, and now and then. */
  run(): Steps<void>;
  /** The explored share, estimated. */
  readonly share?: number;
  /** Whether the bound on worlds ended it, so that more is left to explore. */
  readonly isCutByWorlds?: boolean;
  /** Whether it pauses between two executions, or at another point where it can be saved. */
  readonly isBetween: boolean;
  /** To be called between two executions, or at the end. */
  save(): SavedExploration;
  /** Returns to a saved state of the same search. To be called before `run`. */
  restore(saved: SavedExploration, proposals?: readonly Proposal[]): Steps<void> | void;
  /** Finds a point of division into pieces, between two executions; see `Dpor`. */
  divide?(): Steps<number | undefined>;
  readonly proposals?: readonly Proposal[];
  /** The current execution, if the search knows its races. */
  readonly execution?: EstimatedExecution | undefined;
}

export interface ExplorationOptions extends Omit<DporOptions, 'visitor'> {
  readonly visitor: Omit<Visitor, 'ended'> & {
    ended(session: Session, ending: SearchEnding | InterleavingEnding): boolean;
  };
  readonly oracleReads: OracleReads;
  /** The reads of the actions of the system. */
  readonly reads: ReadSet;
  readonly seed: number;
  readonly preemptionsMax: number | undefined;
  readonly executionsMax: number;
}

/** The number of executions around each random walk. */
const PER_WALK = 50;

const DEEPER_BY = 5;

export function explorationCalled(search: SearchName, options: ExplorationOptions): Exploration {
  const random = Random.seeded(options.seed, 0x77616c6b);
  const walksMax = Number.POSITIVE_INFINITY;
  const { preemptionsMax, ...unbounded } = options;
  const bounded = preemptionsMax === undefined ? unbounded : { ...unbounded, preemptionsMax };
  switch (search) {
    case 'dpor':
    case 'blackbox':
      return new Dpor(options);
    case 'race-reversal':
    case 'blackbox-race-reversal':
      return new RaceReversal(options);
    case 'mixed':
      return new Mixed({ ...options, random });
    case 'depth':
      return new DepthFirst(bounded);
    case 'deepening':
      return new Deepening({ ...bounded, by: DEEPER_BY });
    case 'breadth':
      return new Worlds({ ...options, order: 'breadth', worldsMax: options.executionsMax, ...looking(options) });
    case 'worlds':
      return new Worlds({ ...options, order: 'depth', worldsMax: options.executionsMax, ...looking(options) });
    case 'novelty':
      return new Novelty({ ...options, ...looking(options) });
    case 'random':
      return new RandomWalks({ ...options, random, walksMax });
    case 'rdp':
      return new Rdp({ ...options, random, walksMax, executionsPerWalk: PER_WALK });
  }
}

/** Adds the reads of oracles to the set that distinguishes worlds. */
function looking({ visitor, oracleReads, reads }: ExplorationOptions) {
  const looked = (): void => {
    const { length, pending, last } = oracleReads.reads;
    reads.length ||= length;
    reads.pending ||= pending;
    reads.last ||= last;
  };
  return {
    reads,
    visitor: {
      ...visitor,
      ended: (session: Session, ending: SearchEnding | InterleavingEnding): boolean => {
        const isWanted = visitor.ended(session, ending);
        looked();
        return isWanted;
      },
      arrived: (session: Session): void => {
        visitor.arrived(session);
        looked();
      },
    },
  };
}
