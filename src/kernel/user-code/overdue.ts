/** Work was given up in the middle: it should have come to its end a while ago. What it has done until then is lost. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';

  constructor() {
    super('given up in the middle');
  }
}

/** How long an execution under way may go on after the end of the search that it belongs to: nearly all end by themselves before. */
const PATIENCE_MS = 1_000;

/** Says whether work has been over for longer than what is under way is waited for. */
export function overdue(isOver: () => boolean): () => boolean {
  let sinceMs: number | undefined;
  return () => {
    if (!isOver()) return false;
    sinceMs ??= performance.now();
    return performance.now() - sinceMs > PATIENCE_MS;
  };
}
