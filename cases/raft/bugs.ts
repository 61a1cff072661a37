import { BadParameter } from 'culprit';

/**
 * The seven bugs, each at one place: search for its name. They are numbered like the reports in akka-raft's tracker.
 */
const bugs = ['none', 'raft-45', 'raft-46', 'raft-56', 'raft-58a', 'raft-58b', 'raft-42', 'raft-66'] as const;

export type Bug = (typeof bugs)[number];

export function bugCalled(name: string): Bug {
  const bug = bugs.find((known) => known === name);
  if (bug !== undefined) return bug;
  throw new BadParameter(`there is no bug called ${name}.`, `Choose among ${bugs.join(', ')}.`);
}
