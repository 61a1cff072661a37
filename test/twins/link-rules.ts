import type { DeclaredLink } from 'culprit/kernel';
import type { Link } from 'culprit/trace';
import { wayOf, type Mail } from './mail.ts';

/** What is declared about the lane or the link of a message; undefined if nothing is. */
export function declaredFor(
  links: readonly DeclaredLink[],
  mail: Mail,
  rule: 'order' | 'onCut' | 'losses' | 'duplicates',
): unknown {
  const ends = [wayOf(mail), mail.to].sort().join();
  const ofLink = links.filter(({ between }) => between.toSorted().join() === ends);
  const ofLane = mail.lane === undefined ? undefined : ofLink.find(({ lane }) => lane === mail.lane);
  return ofLane?.[rule] ?? ofLink.find(({ lane }) => lane === undefined)?.[rule];
}

/** Whether one of these cuts stops a message: of its link, or of its lane. */
export function isCutBy(cuts: readonly string[], mail: Mail): boolean {
  const link = `${wayOf(mail)} > ${mail.to}`;
  return cuts.includes(link) || (mail.lane !== undefined && cuts.includes(`${link} > ${mail.lane}`));
}

/** The cuts after these links were cut, or healed; no links mean all between these processes. */
export function cutsAfter(
  cuts: readonly string[],
  links: readonly Link[],
  isCut: boolean,
  there: readonly string[],
): string[] {
  const all = there.flatMap((from) => there.filter((to) => to !== from).map((to): Link => [from, to]));
  const named = (links.length > 0 ? links : all).map((link) => link.join(' > '));
  if (isCut) return [...cuts, ...named];
  return links.length > 0 ? cuts.filter((link) => !named.includes(link)) : [];
}
