import { check, type CheckOptions } from 'culprit';
import type { Report } from '../row.ts';
import { columns } from '../table.ts';
import { median } from '../timing.ts';
import { twelve, type Studied } from './study.ts';

interface Found {
  readonly bug: string;
  readonly strategy: string;
  /** The number of executions until the bug, or all that were tried. A median over several seeds. */
  readonly executions: number;
  /** The number of seeds that found it; most strategies have one seed. */
  readonly found: number;
  readonly seeds: number;
  readonly seconds: number;
}

type Way = Pick<CheckOptions, 'search' | 'reduce'> & { readonly seeds?: number };

/** The columns of the study, whose black-box reduction explores planned executions first in, first out; then ours. */
const ways: Readonly<Record<string, Way>> = {
  dfs: { search: 'depth' },
  bdp: { search: 'blackbox-race-reversal' },
  random: { search: 'random', seeds: 20 },
  rdp: { search: 'rdp', seeds: 3 },
  samc: { search: 'blackbox-race-reversal', reduce: ['lmi', 'cmi', 'crs', 'rss'] },
  dpor: { search: 'dpor' },
  flips: { search: 'race-reversal' },
  mixed: { search: 'mixed', reduce: ['crs', 'rss'] },
  ours: { search: 'novelty', reduce: ['crs', 'rss'] },
};

/** The budget of the study, with a time limit per seed. */
const LIMITS = { executions: 5_000, eventsMax: 150 };
const SECONDS = { one: 30, ofSeveral: 4 };

/** Executions until each bug is found. */
export const bugs = (): Report => ({ rows: all(), shown: (rows) => shown(rows as readonly Found[]) });

async function* all(): AsyncGenerator<Found> {
  for (const studied of twelve) for (const strategy of Object.keys(ways)) yield await measured(studied, strategy);
}

async function measured(studied: Studied, strategy: string): Promise<Found> {
  const { seeds = 1, ...way } = ways[strategy] as Way;
  const { bug, system, set, crashes, restarts } = studied;
  const executions: number[] = [];
  const took: number[] = [];
  const seconds = seeds === 1 ? SECONDS.one : SECONDS.ofSeveral;
  let found = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const faults = { crashes, restarts };
    const report = await check(system, { ...LIMITS, ...way, seconds, seed, set, faults });
    executions.push(report.executions);
    took.push(report.seconds);
    if (report.verdict === 'violated') found += 1;
  }
  return { bug, strategy, executions: median(executions), found, seeds, seconds: median(took) };
}

function shown(rows: readonly Found[]): string {
  const strategies = Object.keys(ways);
  const cell = ({ executions, found, seeds }: Found): string => {
    const count = executions.toLocaleString('en-US');
    return found * 2 > seeds ? count : `↑${count}`;
  };
  const published = (count: number | undefined): string => count?.toLocaleString('en-US') ?? '↑5,000';
  const lines = twelve.map(({ bug, study }) => [
    bug,
    ...strategies.map((strategy) => {
      const row = rows.find((one) => one.bug === bug && one.strategy === strategy);
      return row === undefined ? '' : cell(row);
    }),
    published(study.bdp),
    published(study.random),
    published(study.rdp),
    published(study.samc),
  ]);
  const theirs = ['bdp', 'random', 'rdp', 'samc'].map((name) => `${name} (study)`);
  return columns([['bug', ...strategies, ...theirs], ...lines], (column) => column > 0);
}
