import { readSync, writeSync } from 'node:fs';

/**
 * Two processes that measure the same take turns, contender by contender: what a noisy machine does in between happens to
 * both. Who has been given the turn works; a byte passes it on. The parent joins the pipes of the two.
 */
export const TURNS = { variable: 'BENCH_TURNS', from: 3, to: 4 } as const;

const hasPartner = process.env[TURNS.variable] !== undefined;

/** Waits until it is this process's turn; the first of two begins without waiting. Goes on at once when the partner is done. */
export function awaitTurn(): void {
  if (hasPartner) readSync(TURNS.from, new Uint8Array(1));
}

export function passTurn(): void {
  if (!hasPartner) return;
  try {
    writeSync(TURNS.to, new Uint8Array(1));
  } catch {
    // The partner is done.
  }
}
