import {
  targetOf,
  type ResolvedSystem,
  drive,
  execution,
  type Oracle,
  type Session,
  type Strategy,
} from 'culprit/kernel';

/** Always holds: oracles are measured elsewhere. */
const content: Oracle = { judge: () => ({ kind: 'holds' }) };

/** A new execution of this many events, through the kernel's own loop. */
export async function run(system: ResolvedSystem, strategy: Strategy, events: number): Promise<Session> {
  const session = targetOf(system).open(1);
  const outcome = await drive(execution(session, { strategy, oracle: content, eventsMax: events }));
  if (outcome.ending !== 'bound') throw new Error('the execution ended early');
  return session;
}
