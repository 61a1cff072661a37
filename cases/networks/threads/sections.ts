import type { Compute } from './threads.ts';

/** Critical sections, by name: a computation in each. One that is entered while it is busy waits for its turn, if it is guarded. */
export class Sections {
  /** What waits for a section to become free. */
  private readonly busy = new Map<string, (() => void)[]>();

  constructor(
    private readonly compute: Compute,
    private readonly options: { readonly isGuarded: boolean },
  ) {}

  enter(name: string, done: () => void): void {
    const waiting = this.busy.get(name);
    if (waiting === undefined) this.begin(name, done);
    else if (this.options.isGuarded) waiting.push(done);
    else throw new Error(`the section of ${name} was entered twice`);
  }

  private begin(name: string, done: () => void): void {
    this.busy.set(name, []);
    this.compute(() => {
      done();
      this.leave(name);
    });
  }

  private leave(name: string): void {
    const [next, ...others] = this.busy.get(name) ?? [];
    this.busy.delete(name);
    if (next === undefined) return;
    this.begin(name, next);
    this.busy.set(name, others);
  }
}
