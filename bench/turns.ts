import { readSync, writeSync } from 'node:fs';

/**
 * Two processes that measure the same take turns, contender by contender, so that noise of the machine affects both.
 * The process with the turn works, and passes it on with a byte. The parent connects their pipes.
 */
export const TURNS = { variable: 'BENCH_TURNS', from: 3, to: 4 } as const;

const hasPartner = process.env[TURNS.variable] !== undefined;

/**
 * Waits for the turn of this process; the first of two begins without waiting. Returns at once if the partner is done.
 */
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
