import { BadParameter } from 'culprit';

/** The bugs that can be switched on. Search for a name to find the one place it changes. */
const bugs = ['none', 'mapreduce-4748'] as const;

export type Bug = (typeof bugs)[number];

export function bugCalled(name: string): Bug {
  const bug = bugs.find((known) => known === name);
  if (bug !== undefined) return bug;
  throw new BadParameter(`there is no bug called ${JSON.stringify(name)}.`, `Set bug to one of ${bugs.join(', ')}.`);
}
