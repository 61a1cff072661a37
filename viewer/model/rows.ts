import type { Fold } from './folds.ts';

/** Shorter stretches are not folded: a fold would hide little. */
const FOLD_MIN = 3;

/** Which lines are visible, and which of them are folded. */
export interface Choice {
  readonly isShown: (line: number) => boolean;
  /** The fold of a line, if it may be folded; if omitted, none may. */
  readonly foldOf?: (line: number) => Fold | undefined;
  /** A stretch that contains one of these lines is open. */
  readonly opened?: ReadonlySet<number>;
}

/** Lines, some hidden and some folded, as rows of the page. */
export class Rows {
  private readonly lastLine: number[] = [];
  private readonly count: number[] = [];
  private readonly rowOfLine: Int32Array;
  private readonly shown: Uint8Array;
  private readonly folds = new Map<number, Fold>();

  constructor(lines: number, { isShown, foldOf = () => undefined, opened = new Set() }: Choice) {
    this.rowOfLine = new Int32Array(lines);
    this.shown = new Uint8Array(lines);
    let run: number[] = [];
    let fold: Fold | undefined;
    const endRun = (): void => {
      const isFolded = fold !== undefined && run.length >= FOLD_MIN && !run.some((line) => opened.has(line));
      if (fold !== undefined && isFolded) this.folds.set(this.length, fold);
      for (const group of isFolded ? [run] : run.map((line) => [line])) this.add(group);
      run = [];
    };
    for (let line = 0; line < lines; line++) {
      if (!isShown(line)) continue;
      this.shown[line] = 1;
      const next = foldOf(line);
      if (next !== fold) endRun();
      fold = next;
      run.push(line);
    }
    endRun();
    this.placeHidden();
  }

  get length(): number {
    return this.lastLine.length;
  }

  /** The line that a row shows; the last one of a fold. */
  lineAt(row: number): number {
    return this.lastLine[row] as number;
  }

  /** The number of lines in this fold; 0 for a row that shows its line. */
  foldedAt(row: number): number {
    const count = this.count[row] as number;
    return count === 1 ? 0 : count;
  }

  /** Why the lines of this row are folded; undefined for a row that shows its line. */
  foldAt(row: number): Fold | undefined {
    return this.folds.get(row);
  }

  /** The row of a line, or of its fold; for a hidden line, the row after it. */
  rowOf(line: number): number {
    return this.rowOfLine[line] as number;
  }

  isHidden(line: number): boolean {
    return this.shown[line] === 0;
  }

  private add(lines: readonly number[]): void {
    for (const line of lines) this.rowOfLine[line] = this.length;
    this.count.push(lines.length);
    this.lastLine.push(lines.at(-1) as number);
  }

  private placeHidden(): void {
    let next = this.length;
    for (let line = this.rowOfLine.length - 1; line >= 0; line--) {
      if (this.isHidden(line)) this.rowOfLine[line] = next;
      else next = this.rowOf(line);
    }
  }
}
