import { hex, mixHi, mixLo, wordsOf, type Digest } from '../../trace/digest.ts';
import type { Reduction, Session } from '../../kernel/ports.ts';
import { ordered, type ExecutedStep } from '../dependence/step.ts';
import type { NamedTransition } from '../search/wakeup-tree.ts';

/** The steps of an execution, and the worlds before them as far as they are kept. */
export interface EstimatedExecution {
  readonly steps: readonly ExecutedStep[];
  readonly worldBefore: (at: number) => Session | undefined;
}

/**
 * Estimates how many of the explored executions a check with these policies would explore, without obeying them: those
 * without a familiar fault, and of executions that differ in the order of independent events only, one.
 */
export class ReductionEstimate {
  executions = 0;
  private readonly kept = new Set<string>();
  /** Whether a fault was familiar when it was first met, by the set of events up to the fault. */
  private readonly familiar = new Map<string, boolean>();

  constructor(
    private readonly reductions: readonly Reduction[],
    private readonly depends: (session: Session | undefined, one: NamedTransition, other: NamedTransition) => boolean,
  ) {}

  /** The number of executions that would have been explored. */
  get left(): number {
    return this.kept.size;
  }

  add({ steps, worldBefore }: EstimatedExecution): void {
    this.executions += 1;
    const before: ExecutedStep[] = [];
    const names: Digest[] = [];
    let sum: Digest = { hi: 0, lo: 0 };
    for (const step of steps) {
      const order = ordered(step.needed, before, (earlier) => this.depends(worldBefore(earlier.at), earlier, step));
      before.push({ ...step, ...order });
      const name = nameOf(
        step.key,
        order.direct.map((at) => names[at] as Digest),
      );
      names.push(name);
      sum = plus(sum, name);
      if (this.isFamiliar(worldBefore(step.at), step, hex(sum))) return;
    }
    this.kept.add(hex(sum));
  }

  private isFamiliar(session: Session | undefined, { step }: ExecutedStep, prefix: string): boolean {
    if (session === undefined || (step.kind !== 'crash' && step.kind !== 'restart')) return false;
    let isFamiliar = this.familiar.get(prefix);
    if (isFamiliar === undefined) {
      isFamiliar = this.reductions.some((reduction) => reduction.isFamiliar?.(session, step) === true);
      this.familiar.set(prefix, isFamiliar);
    }
    return isFamiliar;
  }
}

/** The name of a step: equal for equal pasts. Concurrent events do not count. */
function nameOf(key: number, past: readonly Digest[]): Digest {
  const [one, two] = wordsOf(key);
  const { hi, lo } = past.reduce(plus, { hi: 0, lo: 0 });
  return { hi: mixHi(mixHi(hi, one), two), lo: mixLo(mixLo(lo, one), two) };
}

/** A sum that does not depend on the order. */
const plus = (one: Digest, other: Digest): Digest => ({ hi: (one.hi + other.hi) | 0, lo: (one.lo + other.lo) | 0 });
