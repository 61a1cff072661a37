import { CulpritError } from '../../error.ts';
import { withCommas } from '../../text/with-commas.ts';

/** A topology that cannot be. */
export class BadTopology extends CulpritError {
  readonly code = 'BAD_TOPOLOGY';
}

/** Throws unless the number that a topology is made from is a whole one between these two. */
export function checkSize(what: string, size: number, least: number, most: number): void {
  if (Number.isInteger(size) && size >= least && size <= most) return;
  throw new BadTopology(
    `${what}(${String(size)}) is no topology.`,
    `Give a whole number from ${least} to ${withCommas(most)}.`,
  );
}
