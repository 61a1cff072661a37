import { actors, type ResolvedSystem } from 'culprit';
import { drive, execution, type Oracle, type Session, type Strategy } from 'culprit/kernel';

/** Never says anything but holds: oracles are measured elsewhere. */
const content: Oracle = { judge: () => ({ kind: 'holds' }) };

/** A new execution of that many events, through the loop that everything uses. */
export function run(system: ResolvedSystem, strategy: Strategy, events: number): Session {
  const session = actors(system).open(1);
  const outcome = drive(execution(session, { strategy, oracle: content, eventsMax: events }));
  if (outcome instanceof Promise || outcome.ending !== 'bound') throw new Error('the execution ended early');
  return session;
}
