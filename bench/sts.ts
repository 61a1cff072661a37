import type { Bench } from './row.ts';
import { ablation } from './sts/ablation.ts';
import { presentStudies } from './sts/case.ts';
import { epsilon } from './sts/epsilon.ts';
import { fatTrees } from './sts/fat-trees.ts';
import { allCases, oneCase } from './sts/table.ts';

/** One study, by its number. */
const oneByOne: Bench = Object.fromEntries(presentStudies.map((study) => [String(study.number), oneCase(study)]));

/** The numbers of the studies, which are all in `table`. */
export const stsCases: readonly string[] = Object.keys(oneByOne);

/**
 * The evaluation of STS. `table`: the case studies (table 6.1, figure 6.1); a number: one of them. `ablation`: what each part of a replay adds.
 * `epsilon`: how long events are awaited. `fat-trees`: large networks (figure 6.2).
 */
export const sts: Bench = { table: allCases, ablation, epsilon, 'fat-trees': fatTrees, ...oneByOne };
