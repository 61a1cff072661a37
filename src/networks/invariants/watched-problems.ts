import type { Session } from '../../kernel/ports.ts';
import type { HeaderSpace } from '../header-space/header-space.ts';
import { networkStateOf } from '../network/network-state-of.ts';
import { NetworkWatch } from '../network/network-watch.ts';
import type { FindProblems, Problem } from './network-oracle.ts';
import { WatchedSpace } from './watched-space.ts';

/** Looks for problems in header space, and only after a change of a table, port or link. */
export function watchedProblems(
  find: (space: HeaderSpace, session: Session | undefined) => Iterable<Problem>,
): (session: Session | undefined) => FindProblems {
  return (session) => {
    const watched = new WatchedSpace();
    const stateOf = session === undefined ? networkStateOf : NetworkWatch.of(session).stateOf;
    let version = -1;
    let problems: readonly Problem[] = [];
    return (world) => {
      const space = watched.of(stateOf(world));
      if (watched.version !== version) {
        version = watched.version;
        problems = onePerFingerprint(find(space, session));
      }
      return problems;
    };
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
