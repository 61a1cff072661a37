const ESCAPE = '\u001b';
const SEQUENCE_OR_CHARACTER = new RegExp(`${ESCAPE}\\[([\\d;?]*)([A-Za-z])|[^]`, 'gu');

/** The text on a terminal, including what has scrolled away: supports the control sequences that readline uses. */
export class Screen {
  private readonly lines: string[][] = [[]];
  private row = 0;
  private column = 0;
  /** Whether any text was in color. */
  hasColors = false;

  constructor(private readonly columns: number) {}

  get text(): string {
    return this.lines
      .map((line) =>
        Array.from(line, (cell) => cell ?? ' ')
          .join('')
          .trimEnd(),
      )
      .join('\n');
  }

  /** The line with the cursor, up to the cursor. */
  get current(): string {
    return Array.from({ length: this.column }, (_cell, at) => this.lines[this.row]?.[at] ?? ' ').join('');
  }

  write(text: string): void {
    for (const [part, count = '', final = ''] of text.matchAll(SEQUENCE_OR_CHARACTER)) {
      if (final === '') this.put(part);
      else this.control(final, count);
    }
  }

  private put(character: string): void {
    switch (character) {
      case '\r':
        this.column = 0;
        return;
      case '\n':
        this.moveTo(this.row + 1);
        return;
      case '\b':
        this.column = Math.max(0, this.column - 1);
        return;
      case '\u0007':
        return;
      default:
        if (this.column === this.columns) {
          this.column = 0;
          this.moveTo(this.row + 1);
        }
        (this.lines[this.row] as string[])[this.column++] = character;
    }
  }

  private control(final: string, argument: string): void {
    const count = Number(argument === '' ? '1' : argument);
    switch (final) {
      case 'm':
        this.hasColors = true;
        return;
      case 'A':
        return this.moveTo(Math.max(0, this.row - count));
      case 'B':
        return this.moveTo(this.row + count);
      case 'C':
        this.column += count;
        return;
      case 'D':
        this.column = Math.max(0, this.column - count);
        return;
      case 'G':
        this.column = count - 1;
        return;
      case 'J':
      case 'K':
        (this.lines[this.row] as string[]).length = this.column;
        if (final === 'J') this.lines.length = this.row + 1;
        return;
      case 'h':
      case 'l':
        return;
      default:
        throw new Error(`a terminal would know what ${argument}${final} means`);
    }
  }

  private moveTo(row: number): void {
    this.row = row;
    while (this.lines.length <= row) this.lines.push([]);
  }
}
