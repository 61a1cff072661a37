import { inspect } from 'node:util';
import type { Session } from '../kernel/ports.ts';
import type { Site } from './call-site.ts';
import { FakeAnswer, type Series } from './fake-answer.ts';
import type { Source } from './nondeterminism-source.ts';
import type { LeakWatch } from './watch.ts';

/** A call of a source by code of the system. */
export interface SourceCall {
  readonly source: Source;
  readonly site: Site;
  /** The number of the event in which or after which the call was made, from 1; 0 before the first. */
  readonly event: number;
  /** The circumstances: `in event 3 (b, deliver)`, `by the invariant x, after event 3`. */
  readonly during: string;
  /** The result as text; undefined if it is not known yet, or means nothing. */
  result?: string;
}

/** Fake answers of sources. Each call site has a series of its own. */
export interface Answers {
  readonly except?: { readonly key: string; readonly series: Series };
}

/** Names a source and the line that calls it. */
export const keyOf = ({ name }: Source, { at }: Site): string => `${name} ${at}`;

/** The maximum number of recorded calls, because code may call a clock in a loop. */
const NOTED_MAX = 200;

/** Records every call with the event in which it was made. */
export class CallLog implements LeakWatch {
  readonly calls: SourceCall[] = [];
  /** The session of the execution. */
  session: Session | undefined;
  /** The caller if it is no handler: `the invariant x`. */
  caller: string | undefined;
  private latest: SourceCall | undefined;
  private readonly noted = new Map<string, number>();
  private readonly drawn = new Map<string, number>();

  /** Without answers, sources give their real answers. */
  constructor(private readonly answers?: Answers) {}

  called(source: Source, site: Site): FakeAnswer | undefined {
    const key = keyOf(source, site);
    if (counted(this.noted, key) < NOTED_MAX) {
      const event = this.session?.world.length ?? 0;
      this.calls.push({ source, site, event, during: this.during() });
      this.latest = this.calls.at(-1);
    } else this.latest = undefined;
    if (this.answers === undefined) return undefined;
    const { except } = this.answers;
    return new FakeAnswer(except?.key === key ? except.series : 'plain', counted(this.drawn, source.name));
  }

  answered(value: unknown): void {
    const isLate = value === undefined || value instanceof Promise || this.latest?.source.kind === 'timer';
    if (this.latest !== undefined && !isLate) this.latest.result = inspect(value);
  }

  private during(): string {
    const { length = 0, last } = this.session?.world ?? {};
    if (this.caller !== undefined)
      return length === 0 ? `by ${this.caller}` : `by ${this.caller}, after event ${length}`;
    return last === undefined ? 'before the first event' : `in event ${length} (${last.process}, ${last.kind})`;
  }
}

/** Counts a key, and returns the count before. */
function counted(counts: Map<string, number>, key: string): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}
