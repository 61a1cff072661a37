import { CulpritError, isOf, readThrown } from '../../error.ts';
import { fromHere, placesOf } from '../../system/user-code.ts';

/** A codec as errors name it, and what its functions have to return. */
export interface BlamedCodec {
  readonly who: string;
  readonly contract: string;
}

/** A function of a codec threw, or returned something that its contract does not allow. */
export class CodecFailed extends CulpritError {
  readonly code = 'CODEC_FAILED';

  constructor({ who, contract }: BlamedCodec, problem: string, place?: string) {
    super(`${who} failed${place === undefined ? '' : ` at ${place}`}: ${problem}`, `Correct it: ${contract}`);
  }
}

/** The error to report if a codec threw: the line of the codec that did, and none of culprit's own. */
export function codecFailure(codec: BlamedCodec, thrown: unknown): CulpritError {
  if (isOf(thrown, CulpritError)) return thrown;
  const { name, text } = readThrown(thrown);
  const [place] = placesOf(thrown);
  const problem = name === undefined ? text : `${name}: ${text}`;
  return new CodecFailed(codec, problem, place === undefined ? undefined : fromHere(place));
}
