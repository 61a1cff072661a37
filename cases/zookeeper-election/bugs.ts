import { BadParameter } from 'culprit';

/** The five mistakes, each at one place: search for its name. They are numbered like the reports in ZooKeeper's tracker. */
const bugs = ['none', 'zookeeper-790', 'zookeeper-975', 'zookeeper-1075', 'zookeeper-1419', 'zookeeper-1492'] as const;

export type Bug = (typeof bugs)[number];

export function bugCalled(name: string): Bug {
  const bug = bugs.find((known) => known === name);
  if (bug !== undefined) return bug;
  throw new BadParameter(`there is no bug called ${name}.`, `Choose among ${bugs.join(', ')}.`);
}
