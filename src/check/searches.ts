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

/** Ways to go through executions. */
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
export type SearchName = (typeof searchNames)[number];

/** What a search leaves out by itself. Reductions leave out orders of independent events, so oracles must be watched. */
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

/** What is left of an exploration, and what it goes by, as JSON. */
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
  /** The share of everything that has been explored, as far as that can be told. */
  readonly share?: number;
  /** Whether it ended because of a bound that is none on executions: then there is more. */
  readonly isCutByWorlds?: boolean;
  /** Whether it pauses between two executions, or elsewhere where it can be saved. */
  readonly isBetween: boolean;
  /** Where it is between two executions, or done. */
  save(): SavedExploration;
  /** Before it runs: gets to where it was left. What was saved is of the same search. */
  restore(saved: SavedExploration, proposals?: readonly Proposal[]): Steps<void> | void;
  /** Where it can be divided into pieces, between two executions; see `Dpor`. */
  divide?(): Steps<number | undefined>;
  readonly proposals?: readonly Proposal[];
  /** The execution under way, where it can be told what might have come in another order. */
  readonly execution?: EstimatedExecution | undefined;
}

export interface ExplorationOptions extends Omit<DporOptions, 'visitor'> {
  readonly visitor: Omit<Visitor, 'ended'> & {
    ended(session: Session, ending: SearchEnding | InterleavingEnding): boolean;
  };
  readonly observed: OracleReads;
  /** What the actions of the system have looked at. */
  readonly looks: ReadSet;
  readonly seed: number;
  readonly preemptionsMax: number | undefined;
  readonly executionsMax: number;
}

/** How many executions of a reduction follow each random walk. */
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

/** Where oracles look at what tells worlds apart that are the same otherwise, no two are the same. */
function looking({ visitor, observed, looks }: ExplorationOptions) {
  const looked = (): void => {
    const { length, pending, last } = observed.looks;
    looks.length ||= length;
    looks.pending ||= pending;
    looks.last ||= last;
  };
  return {
    looks,
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
