/** Sixteen bits per word, because a word is also a character of the text. */
const BITS = 16;
const FULL = 0xffff;

/**
 * A set that contains nearly all numbers below some bound and nearly none above it, such as the linearized operations,
 * numbered in the order of their calls. Different sets have different texts, and no text is a prefix of another. The
 * text covers only the part between the full and the empty words, so it stays short however long the history is.
 */
export class BitSet {
  private readonly words: Uint16Array;
  /** All words before this one are full. */
  private low = 0;
  /** All words from this one on are empty. */
  private high = 0;

  constructor(size: number) {
    this.words = new Uint16Array(Math.ceil(size / BITS));
  }

  has(number: number): boolean {
    return ((this.words[Math.floor(number / BITS)] as number) & bit(number)) !== 0;
  }

  add(number: number): void {
    const at = Math.floor(number / BITS);
    this.words[at] = (this.words[at] as number) | bit(number);
    this.high = Math.max(this.high, at + 1);
    while (this.words[this.low] === FULL) this.low += 1;
  }

  delete(number: number): void {
    const at = Math.floor(number / BITS);
    this.words[at] = (this.words[at] as number) & ~bit(number);
    this.low = Math.min(this.low, at);
    while (this.high > 0 && this.words[this.high - 1] === 0) this.high -= 1;
  }

  text(): string {
    let text = wide(this.low) + wide(this.high);
    for (let at = this.low; at < this.high; at++) text += String.fromCharCode(this.words[at] as number);
    return text;
  }
}

const bit = (number: number): number => 1 << (number % BITS);

/** A number below 2^32 as two characters. */
export const wide = (number: number): string => String.fromCharCode(number & FULL, number >>> BITS);
