import type { Session } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import type { HeaderSpace } from '../header-space/header-space.ts';
import { networkStateOf } from '../network/network-state-of.ts';
import type { FindProblems, Problem } from './network-oracle.ts';
import { WatchedSpace } from './watched-space.ts';

/** Looks for problems in header space, and only after a change of a table, port or link. */
export function watchedProblems(
  find: (space: HeaderSpace, world: World, session: Session) => Iterable<Problem>,
): FindProblems {
  const watched = new WatchedSpace();
  let version = -1;
  let problems: readonly Problem[] = [];
  return (world, session) => {
    const space = watched.of(networkStateOf(world));
    if (watched.version !== version) {
      version = watched.version;
      problems = onePerFingerprint(find(space, world, session));
    }
    return problems;
  };
}

/** Several stations, ports or parts of header space may have the same problem. */
function onePerFingerprint(found: Iterable<Problem>): Problem[] {
  const problems = new Map<string, Problem>();
  for (const problem of found) {
    if (!problems.has(problem.fingerprint)) problems.set(problem.fingerprint, problem);
  }
  return [...problems.values()];
}
