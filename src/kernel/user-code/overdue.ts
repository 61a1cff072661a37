/** Work was given up in the middle, because its end is overdue. Its results so far are lost. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';

  constructor() {
    super('given up in the middle');
  }
}

/** How long an execution may continue after its search has ended: nearly all end by themselves before. */
const PATIENCE_MS = 1_000;

/** Says whether the time is over that work under way still gets. */
export function overdue(isOver: () => boolean): () => boolean {
  let sinceMs: number | undefined;
  return () => {
    if (!isOver()) return false;
    sinceMs ??= performance.now();
    return performance.now() - sinceMs > PATIENCE_MS;
  };
}
