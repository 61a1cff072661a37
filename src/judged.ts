import { CulpritError } from './error.ts';
import { drive, execution, hung } from './kernel/loop.ts';
import type { Oracle, Session, Strategy } from './kernel/ports.ts';
import type { Verdict } from './trace/verdict.ts';

/** What an execution is judged by, and how long its handlers may take. */
export interface Court {
  readonly oracle: Oracle;
  readonly handlerMs: number;
}

/** An execution that follows a schedule may have so many times its events, and so many more. */
const ROOM = { times: 2, more: 100 };

/** The verdict on what follows a schedule of so many events. Where it cannot be judged at all, nobody knows. */
export async function judged(
  session: Session,
  strategy: Strategy,
  { oracle, handlerMs }: Court,
  scheduled: number,
): Promise<Verdict> {
  const eventsMax = ROOM.times * scheduled + ROOM.more;
  try {
    return (await drive(execution(session, { strategy, oracle, eventsMax }), handlerMs)).verdict;
  } catch (error) {
    if (error instanceof CulpritError) return { kind: 'unknown', why: error.message };
    return hung(error, session);
  }
}
