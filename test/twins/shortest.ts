import { targetOf, allOf, invariantOracle, noUncaughtException, resolveSystem } from 'culprit/kernel';
import type { System } from 'culprit';
import type { Session } from 'culprit/kernel';
import { eventOf, hex, isInternal, type Event, type External, type Internal, type Trace } from 'culprit/trace';

type Step = Internal | External;

/**
 * The number of events of the shortest execution that ends with the same bug and has only externals of the trace, by
 * trying every order of everything, each from the start: slow and obvious. Undefined if it would take more than this
 * many.
 */
export async function shortestLength(system: System, trace: Trace, most: number): Promise<number | undefined> {
  for (let length = 0; length <= most; length++) {
    if (await new Enumeration(system, trace, length).isEnough([], externalsOf(trace))) return length;
  }
  return undefined;
}

class Enumeration {
  private readonly resolved;
  private readonly oracle;

  constructor(
    system: System,
    private readonly trace: Trace,
    private readonly length: number,
  ) {
    this.resolved = resolveSystem(system, trace.header.parameters);
    this.oracle = allOf(noUncaughtException, invariantOracle(this.resolved.invariants));
  }

  /** Whether the bug can be reached within the length, after these steps and with the remaining externals. */
  async isEnough(steps: readonly Step[], left: readonly External[]): Promise<boolean> {
    const session = targetOf(this.resolved).open(this.trace.header.seed);
    for (const step of steps) await session.perform(step);
    const verdict = this.oracle.judge(session.world, session.world.last);
    if (verdict.kind === 'violated') {
      return 'fingerprint' in this.trace.verdict && verdict.fingerprint === this.trace.verdict.fingerprint;
    }
    if (session.world.length >= this.length) return false;
    for (const event of session.enabled) if (await this.isEnough([...steps, event], left)) return true;
    for (const [at, external] of left.entries()) {
      for (const aimed of aimedAt(external, session)) {
        if (session.refusal(aimed) !== undefined) continue;
        if (await this.isEnough([...steps, aimed], left.toSpliced(at, 1))) return true;
      }
    }
    return false;
  }
}

/** Losses and copies may affect any message. */
function aimedAt(external: External, { world }: Session): External[] {
  if (external.kind !== 'lose' && external.kind !== 'duplicate') return [external];
  return world.pending
    .filter(({ kind }) => kind === 'deliver')
    .map((message): External => ({ kind: external.kind, target: hex(message) }));
}

const externalsOf = ({ events }: Trace): External[] =>
  events.map(eventOf).flatMap((event: Event) => (isInternal(event) ? [] : [withoutPlace(event)]));

/** The external as a workload has it. */
function withoutPlace(event: Exclude<Event, Internal>): External {
  const { cause: _cause, hi: _hi, lo: _lo, process, ...rest } = event;
  return (process === 'environment' ? rest : { ...rest, process }) as External;
}
