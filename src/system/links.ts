import { ENVIRONMENT } from '../trace/event.ts';
import type { DeclaredLink, Faults, LinkPair } from '../kernel/declaration.ts';
import { linkKey } from '../kernel/network/rules.ts';
import { didYouMean } from '../text/did-you-mean.ts';
import { BadSystem } from './check-definition.ts';
import type { GivenLink } from './definition.ts';

/** The declared links. Every link joins two declared processes, and is declared once; the same declaration may be repeated. */
export function linksIn(
  given: readonly GivenLink[],
  names: readonly string[],
  faults: Faults,
): readonly DeclaredLink[] {
  const links = new Map<string, DeclaredLink>();
  const known = new Set([...names, ENVIRONMENT]);
  for (const one of given) {
    const link = 'between' in one ? one : { between: one };
    checkPair(link.between, known);
    checkRules(link, faults);
    checkInputs(link);
    const key = linkKey(...link.between, link.lane);
    const before = links.get(key);
    if (before === undefined) links.set(key, link);
    else if (rulesText(before) !== rulesText(link))
      throw new BadSystem(`${titleOf(link)} is declared twice, with different rules.`, 'Declare it once.');
  }
  return [...links.values()];
}

function checkPair(pair: LinkPair, names: ReadonlySet<string>): void {
  const unknown = pair.find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new BadSystem(
      `a link names ${JSON.stringify(unknown)}, which is no declared process${didYouMean(unknown, [...names]) || '.'}`,
      'Give pairs of declared processes.',
    );
  if (pair.length !== 2 || pair[0] === pair[1])
    throw new BadSystem(`a link is ${JSON.stringify(pair)}.`, "Give pairs of two processes, such as ['n1', 'n2'].");
}

/** What a link allows needs a budget: without one it would never happen. */
function checkRules(link: DeclaredLink, faults: Faults): void {
  if (link.lane === '')
    throw new BadSystem(
      `${titleOf({ between: link.between })} has a lane without a name.`,
      'Leave `lane` out to declare the link with its default lane.',
    );
  for (const fault of ['losses', 'duplicates', 'partitions'] as const)
    if (link[fault] === true && faults[fault] === 0)
      throw new BadSystem(
        `${titleOf(link)} allows ${fault}, but the budget \`faults.${fault}\` is 0.`,
        `Give \`faults: { ${fault}: 1 }\`, or leave \`${fault}\` out of the link.`,
      );
}

/** A link of the environment says what may happen to the messages that it sends. It is never cut. */
function checkInputs(link: DeclaredLink): void {
  const { between, partitions, reports = false, lane } = link;
  if (!between.includes(ENVIRONMENT) || (partitions === false && reports === false && lane === undefined)) return;
  throw new BadSystem(
    `${titleOf(link)} can be neither cut nor reported on, and has no lanes.`,
    'Declare it with `partitions: false`, and without `reports` and `lane`.',
  );
}

const rulesText = ({ order, onCut, losses, duplicates, partitions, reports }: DeclaredLink): string =>
  JSON.stringify([order, onCut, losses, duplicates, partitions, reports].map((rule) => rule ?? null));

const titleOf = ({ between: [one, other], lane }: DeclaredLink): string =>
  lane === undefined ? `the link between ${one} and ${other}` : `lane ${lane} between ${one} and ${other}`;
