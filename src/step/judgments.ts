import { isReached } from '../coverage/coverage-sample.ts';
import { ReplayStrategy } from '../schedule/replay/exact-replay.ts';
import { drive } from '../kernel/drive.ts';
import { execution, HANDLER_RETURNS } from '../kernel/loop.ts';
import type { Oracle, Session } from '../kernel/ports.ts';
import { named } from '../oracles/named-oracle.ts';
import { invariantOracle, noUncaughtException } from '../oracles/invariants.ts';
import { targetOf } from '../hosts/target.ts';
import { HOLDS, type Verdict } from '../trace/verdict.ts';
import type { Track } from './track.ts';
import { remembers } from '../oracles/remembers.ts';

/** The verdict of one oracle. */
interface Judged {
  readonly name: string;
  readonly verdict: Verdict;
  /** Whether the verdict holds only if the execution ends here. */
  readonly isAtEnd: boolean;
}

/**
 * The verdict of each oracle on the current world, and on the execution if it ended here. Oracles with memory judge the
 * same events in another execution, so that they do not take this for the end.
 */
export async function judgments(track: Track): Promise<Judged[]> {
  const { system } = track.origin;
  const { verdict: now } = track;
  // A handler that was ended leaves a world that is neither the one before its event nor the one after it.
  if (now.kind === 'violated' && now.oracle === HANDLER_RETURNS)
    return [{ name: now.oracle, verdict: now, isAtEnd: false }];
  const all: [string, Oracle][] = [
    ['noUncaughtException', noUncaughtException],
    ...[...system.invariants].map(([name, one]): [string, Oracle] => [name, invariantOracle(new Map([[name, one]]))]),
    ...[...system.oracles].map(([name, one]): [string, Oracle] => [name, named(name, one)]),
  ];
  const found: Judged[] = [];
  for (const [name, oracle] of all) found.push(await judged(name, oracle, track));
  return found;
}

async function judged(
  name: string,
  oracle: Oracle,
  { origin, events, session: shown, isControlled }: Track,
): Promise<Judged> {
  if (remembers(oracle) && !isControlled) return { name, verdict: UNREPEATABLE, isAtEnd: false };
  if (oracle.begin !== undefined && remembers(oracle)) {
    const session = targetOf(origin.system).open(origin.seed);
    const running = oracle.begin(session);
    const { verdict } = await drive(
      execution(session, {
        strategy: new ReplayStrategy(events),
        oracle: { judge: (world, last) => running.judge(world, last) },
        eventsMax: Number.POSITIVE_INFINITY,
      }),
      origin.handlerMs,
    );
    return atEnd(name, verdict, running, session);
  }
  // An oracle without memory needs only the world.
  const running = oracle.begin?.(shown) ?? oracle;
  return atEnd(name, running.judge(shown.world, shown.world.last), running, shown);
}

const UNREPEATABLE: Verdict = {
  kind: 'unknown',
  why: 'it remembers earlier worlds, and this execution cannot be repeated for it alone',
};

function atEnd(name: string, now: Verdict, oracle: Oracle, { world, enabled, guarantees }: Session): Judged {
  if (now.kind !== 'holds') return { name, verdict: now, isAtEnd: false };
  return {
    name,
    verdict: oracle.end?.(world, guarantees.controlled && enabled.length === 0) ?? HOLDS,
    isAtEnd: oracle.end !== undefined,
  };
}

/** One line for each oracle. */
export const judgmentLines = (found: readonly Judged[]): string[] =>
  found.map(({ name, verdict, isAtEnd }) => {
    const where = isAtEnd && verdict.kind !== 'holds' ? ' (if it ended here)' : '';
    return `${verdict.kind.padEnd(10)}${name}${sentence(name, verdict)}${where}`;
  });

/** For each `sometimes`: whether it is true in this world. */
export const markLines = ({ origin, session }: Track): string[] =>
  [...origin.system.sometimes].map(
    ([name, mark]) => `${(isReached(name, mark, session.world) ? 'reached' : 'not yet').padEnd(10)}${name} (sometimes)`,
  );

function sentence(name: string, verdict: Verdict): string {
  if (verdict.kind === 'holds') return '';
  // If several oracles are asked together, the reason already begins with the name.
  if (verdict.kind === 'unknown') return `: ${verdict.why.replace(`${name}: `, '')}`;
  return `: ${verdict.message}${verdict.events === undefined ? '' : `, since event ${verdict.events}`}`;
}
