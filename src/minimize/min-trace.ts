import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CulpritError } from '../error.ts';
import { NotDeterministic } from '../determinism/not-deterministic.ts';
import { originOf, replay } from '../replay/replay.ts';
import { shellWord } from '../text/shell-word.ts';
import type { System } from '../system/definition.ts';
import { removeFile, replaceFile } from '../files/access.ts';
import { shownPath } from '../text/shown-path.ts';
import { encodedTrace, isGzip, loadTrace } from '../files/trace-file.ts';
import type { Trace } from '../trace/format.ts';

/** The file of the minimized trace exists, but has other content. */
class BadMinTrace extends CulpritError {
  readonly code = 'BAD_MIN_TRACE';

  constructor(problem: string, path: string, options?: ErrorOptions) {
    super(problem, `Move or delete it, then start over: culprit minimize ${shellWord(path)}`, options);
  }
}

/** The result of an earlier minimization. */
export interface EarlierResult {
  readonly trace: Trace;
  /** Whether it replays exactly. A system that is not deterministic may need more replays. */
  readonly isExact: boolean;
}

/**
 * The file of a minimized trace: `.min.trace`, beside the original. If the original is itself a `.min.trace`, it is
 * replaced.
 */
export class MinTrace {
  private readonly plain: string;
  private readonly packed: string;

  constructor(
    private readonly original: Trace,
    private readonly path: string,
    directory: string = dirname(path),
  ) {
    const name = basename(path).replace(/\.trace(\.gz)?$/, '');
    const isMinTrace = original.header.minimized !== undefined && name.endsWith('.min');
    this.plain = join(directory, `${isMinTrace ? name : `${name}.min`}.trace`);
    this.packed = `${this.plain}.gz`;
  }

  /**
   * Loads the file; undefined if there is none. Throws if it was not made from the original, or no longer fails. If the
   * system is not deterministic, the next minimization finds out whether it fails.
   */
  async load(system: System): Promise<EarlierResult | undefined> {
    // Both files exist if the process was killed before it removed one. The plain file is smaller, hence newer.
    const [found] = [this.plain, this.packed].filter((path) => existsSync(path)).map((path) => this.checked(path));
    if (found === undefined) return undefined;
    if (!originOf(system, found.trace).system.guarantees.repeatable) return { trace: found.trace, isExact: false };
    try {
      await replay(system, found.trace);
      return { trace: found.trace, isExact: true };
    } catch (error) {
      if (error instanceof NotDeterministic) return { trace: found.trace, isExact: false };
      if (!(error instanceof CulpritError) || resolve(found.path) === resolve(this.path)) throw error;
      throw new BadMinTrace(`${shownPath(found.path)} no longer replays: ${error.message}`, shownPath(this.path), {
        cause: error,
      });
    }
  }

  /** Replaces the file atomically, and returns its path. */
  save(trace: Trace): string {
    const bytes = encodedTrace(trace);
    const [path, other] = isGzip(bytes) ? [this.packed, this.plain] : [this.plain, this.packed];
    replaceFile(path, bytes);
    removeFile(other, 'Remove it yourself: it is out of date.');
    return shownPath(path);
  }

  private checked(path: string): { readonly path: string; readonly trace: Trace } {
    const trace = this.read(path);
    if (!this.isMadeFromOriginal(trace))
      throw new BadMinTrace(
        `${shownPath(path)} exists already, but was not made from ${shownPath(this.path)}.`,
        shownPath(this.path),
      );
    return { path, trace };
  }

  private read(path: string): Trace {
    try {
      return loadTrace(shownPath(path));
    } catch (error) {
      if (!(error instanceof CulpritError)) throw error;
      throw new BadMinTrace(error.message, shownPath(this.path), { cause: error });
    }
  }

  private isMadeFromOriginal({ header, verdict }: Trace): boolean {
    const { header: first, verdict: violated } = this.original;
    const from = first.minimized?.from ?? violated.name;
    const isSame = (...fields: readonly ('seed' | 'parameters')[]): boolean =>
      fields.every((field) => isDeepStrictEqual(header[field], first[field]));
    return header.minimized?.from === from && verdict.verdict === 'violated' && isSame('seed', 'parameters');
  }
}
