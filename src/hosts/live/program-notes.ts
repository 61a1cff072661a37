import type { Io } from '../../kernel/uncontrolled/io.ts';

/** The notes of a program that a trace keeps: one that floods its output must not fill the memory. */
const NOTES_MAX = 10_000;

/** Notes what a program prints, and what it says of itself. */
export class ProgramNotes {
  constructor(
    private readonly io: Pick<Io, 'observe'>,
    private count = 0,
  ) {}

  /** Notes what a copy of the program prints. */
  copyFor(io: Pick<Io, 'observe'>): ProgramNotes {
    return new ProgramNotes(io, this.count);
  }

  add(what: string, content: unknown): void {
    this.count += 1;
    if (this.count < NOTES_MAX) this.io.observe(what, content);
    if (this.count === NOTES_MAX) this.io.observe(what, 'more lines follow, which are not kept');
  }
}
