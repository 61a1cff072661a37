/** Why a worker cannot run a system. */
export interface Refusal {
  readonly worker: string;
  readonly problem: string;
  readonly next: string;
}

/** The broker keeps one line of text about a failed job. */
export const refusalText = (refusal: Refusal): string => JSON.stringify(refusal);

/** The refusal in that text; undefined if a job failed for another reason, such as too many lost workers. */
export function refusalIn(reason: string): Refusal | undefined {
  return reason.startsWith('{') ? (JSON.parse(reason) as Refusal) : undefined;
}
