import { hex, mixHi, mixLo, wordsOf, type Digest } from '../../trace/digest.ts';
import type { Reduction, Session } from '../../kernel/ports.ts';
import { ordered, type ExecutedStep } from '../dependence/step.ts';
import type { NamedTransition } from '../search/wakeup-tree.ts';

/** An execution: its steps, and the worlds from which they were taken, as far as those are kept. */
export interface EstimatedExecution {
  readonly steps: readonly ExecutedStep[];
  readonly worldBefore: (at: number) => Session | undefined;
}

/**
 * How many of the executions that were looked at would have been left by policies that are asked, and not obeyed: those
 * without any fault that has become familiar by then, and of those that differ in the order of independent events only, one.
 */
export class ReductionEstimate {
  executions = 0;
  private readonly kept = new Set<string>();
  /** By everything that happened up to a fault, in whichever order: whether it was familiar when it was first met. */
  private readonly familiar = new Map<string, boolean>();

  constructor(
    private readonly reductions: readonly Reduction[],
    private readonly depends: (session: Session | undefined, one: NamedTransition, other: NamedTransition) => boolean,
  ) {}

  /** How many would have been left. */
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

/** The same for a step with the same past, whatever else happened meanwhile. */
function nameOf(key: number, past: readonly Digest[]): Digest {
  const [one, two] = wordsOf(key);
  const { hi, lo } = past.reduce(plus, { hi: 0, lo: 0 });
  return { hi: mixHi(mixHi(hi, one), two), lo: mixLo(mixLo(lo, one), two) };
}

/** Whatever the order. */
const plus = (one: Digest, other: Digest): Digest => ({ hi: (one.hi + other.hi) | 0, lo: (one.lo + other.lo) | 0 });
