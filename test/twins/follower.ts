import { targetOf, allOf, invariantOracle, noUncaughtException, resolveSystem } from 'culprit/kernel';
import type { System } from 'culprit';
import type { Session } from 'culprit/kernel';
import { eventOf, isInternal, sameDigest, type Event, type External, type Internal, type Trace } from 'culprit/trace';

/**
 * The events of a trace that could be removed alone: the rest is followed in the obvious way, and ends with the same
 * bug. Numbers count from 1.
 */
export async function dispensable(system: System, trace: Trace): Promise<number[]> {
  const events = trace.events.map(eventOf);
  const found: number[] = [];
  for (const at of events.keys()) if (await isEnough(system, trace, events.toSpliced(at, 1))) found.push(at + 1);
  return found;
}

/** Skips missing events; one of the same type, at the same process and from the same sender, replaces a missing one. */
async function isEnough(
  system: System,
  { header, verdict: wanted }: Trace,
  events: readonly Event[],
): Promise<boolean> {
  const resolved = resolveSystem(system, header.parameters);
  const session = targetOf(resolved).open(header.seed);
  const oracle = allOf(noUncaughtException, invariantOracle(resolved.invariants));
  for (const event of events) {
    const step = isInternal(event) ? standIn(session, event) : possible(session, event);
    if (step === undefined) continue;
    await session.perform(step);
    const verdict = oracle.judge(session.world, session.world.last);
    if (verdict.kind === 'violated') return 'fingerprint' in wanted && verdict.fingerprint === wanted.fingerprint;
  }
  return false;
}

const standIn = ({ enabled }: Session, wanted: Internal): Internal | undefined =>
  enabled.find((event) => sameDigest(event, wanted)) ?? enabled.findLast((event) => typeOf(event) === typeOf(wanted));

function typeOf(event: Internal): string {
  const place = `${event.kind} ${event.process}`;
  if (event.kind === 'deliver') return `${place} ${event.from} ${typeof event.message}`;
  return event.kind === 'fire' ? `${place} ${event.timer}` : place;
}

function possible(session: Session, event: Exclude<Event, Internal>): External | undefined {
  const { cause: _cause, hi: _hi, lo: _lo, process, ...rest } = event;
  const external = (process === 'environment' ? rest : { ...rest, process }) as External;
  return session.refusal(external) === undefined ? external : undefined;
}
