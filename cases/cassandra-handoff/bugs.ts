import { BadParameter } from 'culprit';

/** The bug, by its number in Cassandra's tracker: search for its name to find the one place that it changes. */
const bugs = ['none', 'cassandra-3395'] as const;

export type Bug = (typeof bugs)[number];

export function bugCalled(name: string): Bug {
  const bug = bugs.find((known) => known === name);
  if (bug !== undefined) return bug;
  throw new BadParameter(`there is no bug called ${JSON.stringify(name)}.`, `Set bug to one of ${bugs.join(', ')}.`);
}
