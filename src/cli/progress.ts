import type { SearchProgress } from '../search.ts';

/** How often a line is written where nobody can see it change. */
const PLAIN_EVERY_MS = 10_000;

/** Shows how a hunt is getting on: one line that changes on a terminal, a plain line now and then elsewhere. */
export class Progress {
  private lastPlainMs = 0;
  private shown = false;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  show(progress: SearchProgress): void {
    if (this.stream.isTTY) {
      this.stream.write(`\r\u001b[K${lineOf(progress)}`);
      this.shown = true;
    } else if (progress.elapsedMs - this.lastPlainMs >= PLAIN_EVERY_MS) {
      this.lastPlainMs = progress.elapsedMs;
      this.stream.write(`${lineOf(progress)}\n`);
    }
  }

  /** Leaves nothing behind on a terminal. */
  end(): void {
    if (this.shown) this.stream.write('\r\u001b[K');
  }
}

function lineOf(progress: SearchProgress): string {
  const { executions, events, distinct, marks, marksReached, elapsedMs, executionsMax, secondsMax } = progress;
  const perSecond = (count: number): string => Math.round((count / elapsedMs) * 1000).toLocaleString('en');
  const left = Math.max(
    0,
    Math.min(((executionsMax - executions) / executions) * elapsedMs, secondsMax * 1000 - elapsedMs),
  );
  return [
    `hunting   ${executions.toLocaleString('en')} executions (${perSecond(executions)}/s)`,
    `${perSecond(events)} events/s`,
    `${distinct.toLocaleString('en')} distinct`,
    ...(marks === 0 ? [] : [`${marksReached} of ${marks} marks`]),
    `${Math.ceil(left / 1000)} s left`,
  ].join(', ');
}
