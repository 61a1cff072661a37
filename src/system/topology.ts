import type { Declaration } from '../kernel/declaration.ts';
import { didYouMean } from '../text/did-you-mean.ts';
import { topologyFlaw, type ProcessTopology, type TopologyFlaw } from '../trace/topology.ts';
import { BadSystem } from './check-definition.ts';

/** The topology, unless a name in it makes no sense: nodes and controllers are declared processes. */
export function checkTopology(
  given: ProcessTopology | undefined,
  { processes }: Declaration,
): ProcessTopology | undefined {
  if (given === undefined) return undefined;
  const { nodes, controllers = [] } = given;
  const declared = [...processes.keys()];
  for (const [list, names] of Object.entries({ nodes, controllers })) {
    const at = names.findIndex((name) => !processes.has(name));
    const flaw = { path: `${list}[${at}]`, name: names[at] as string, what: 'which is no declared process' };
    if (at >= 0) throw badName(flaw, declared, 'Give names of declared processes.');
  }
  const flaw = topologyFlaw(given);
  if (flaw !== undefined) throw badName(flaw, nodes, 'List each name once, and join nodes only.');
  return given;
}

const badName = ({ path, name, what }: TopologyFlaw, known: readonly string[], next: string): BadSystem => {
  const others = known.filter((other) => other !== name);
  const guess = known.includes(name) ? '.' : didYouMean(name, others) || '.';
  return new BadSystem(`topology.${path} is ${JSON.stringify(name)}, ${what}${guess}`, next);
};
