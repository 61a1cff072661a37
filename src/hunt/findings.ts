import { BadPhrase } from '../execution/wording.ts';
import type { Session } from '../kernel/ports.ts';
import type { Origin } from '../execution/record.ts';
import type { Finding } from './report.ts';
import type { Trace } from '../trace/format.ts';
import type { Violated } from '../trace/verdict.ts';
import { endsWith } from '../replay/reproduce-finding.ts';

/** The violations that a search has found, one of each fingerprint, in the order of their seeds. */
export class Findings {
  readonly list: Finding[] = [];
  readonly fingerprints = new Set<string>();

  constructor(
    /** Executes the violation again and checks that it repeats. */
    private readonly write: (origin: Origin, session: Session, found: Violated) => Promise<Trace>,
  ) {}

  async keep(violated: Violated, origin: Origin, session: Session, executions: number): Promise<void> {
    const add = (trace: Trace): void => {
      this.fingerprints.add(violated.fingerprint);
      this.list.push({ trace, strategy: origin.strategy, executions });
    };
    try {
      add(await this.write(origin, session, violated));
    } catch (error) {
      // The violation counts, although the phrases of the system fail.
      if (error instanceof BadPhrase && endsWith(error.trace, violated)) add(error.trace);
      throw error;
    }
  }
}
