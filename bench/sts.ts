import type { Bench } from './row.ts';
import { ablation } from './sts/ablation.ts';
import { presentStudies } from './sts/case.ts';
import { controlled } from './sts/controlled.ts';
import { epsilon } from './sts/epsilon.ts';
import { figure } from './sts/figure.ts';
import { fatTrees } from './sts/fat-trees.ts';
import { replays } from './sts/replays.ts';
import { gates } from './sts/gates.ts';
import { allCases, oneCase } from './sts/table.ts';

/** One study, by its number. */
const oneByOne: Bench = Object.fromEntries(presentStudies.map((study) => [String(study.number), oneCase(study)]));

/** The numbers of the studies, which are all in `table`. */
export const stsCases: readonly string[] = Object.keys(oneByOne);

/**
 * The evaluation of STS. `table`: the case studies (table 6.1); a number: one of them. `figure`: how their sizes fell (figure 6.1), from
 * the baseline. `controlled`: the studies in memory. `gates`: what they must do besides. `replays`: the size by the replays of a
 * candidate (table 6.2). `ablation`: what each part of a replay adds.
 * `epsilon`: how long events are awaited. `fat-trees`: large networks (figure 6.2).
 */
export const sts: Bench = {
  table: allCases,
  controlled,
  gates,
  replays,
  ablation,
  epsilon,
  figure,
  'fat-trees': fatTrees,
  ...oneByOne,
};
