import type { DeclaredLink } from 'culprit/kernel';
import { ENVIRONMENT, type Event } from 'culprit/trace';
import { DOWN, letter, UP, type Mail } from './mail.ts';

type IsGone = (process: string) => boolean;

/** Both directions of the link and of the lane work, and both ends are there. */
export function isLinkUp(
  { between: [one, other], lane }: DeclaredLink,
  cuts: readonly string[],
  isGone: IsGone,
): boolean {
  const directions = [`${one} > ${other}`, `${other} > ${one}`];
  const names = lane === undefined ? directions : [...directions, ...directions.map((name) => `${name} > ${lane}`)];
  return !names.some((name) => cuts.includes(name)) && !isGone(one) && !isGone(other);
}

/** The ends of a link get reports when it has changed, and a process that restarts one if it is down. */
export const reportsOf = (
  links: readonly DeclaredLink[],
  before: readonly boolean[],
  after: readonly boolean[],
  event: Event,
  isGone: IsGone,
): Mail[] =>
  links.flatMap(({ between, lane, reports = false }, nth) => {
    const ends = reports === false ? [] : reports === 'first' ? between.slice(0, 1) : between;
    const isUp = after[nth] === true;
    return ends
      .filter((end) => !isGone(end))
      .filter((end) => (event.kind === 'restart' && event.process === end ? !isUp : isUp !== before[nth]))
      .map((end) => {
        const peer = between.find((name) => name !== end) as string;
        return letter(ENVIRONMENT, end, isUp ? UP : DOWN, lane === undefined ? peer : `${peer} ${lane}`);
      });
  });
