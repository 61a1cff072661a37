import { meet, withoutAll, type Cube } from './cube.ts';
import type { ModelSwitch } from './network-model.ts';
import type { Rule } from './rule.ts';

/** Headers that entries lose, as they arrive there. */
export class LostHeaders {
  private readonly byRule = new Map<
    Rule,
    { readonly at: ModelSwitch; readonly rule: Rule; readonly cubes: Set<Cube> }
  >();

  get all() {
    return [...this.byRule.values()].map(({ at, rule, cubes }) => ({ at, rule, cubes: [...cubes] }));
  }

  add(at: ModelSwitch, rule: Rule, cube: Cube): void {
    const known = this.byRule.get(rule);
    if (known === undefined) this.byRule.set(rule, { at, rule, cubes: new Set([cube]) });
    else known.cubes.add(cube);
  }
}

/** Headers without overlap that have these cubes and all lost headers that meet them, and the others that are lost. */
export function regionOf<T extends { readonly lost: Cube }>(
  cubes: readonly Cube[],
  known: readonly T[],
): { readonly region: readonly Cube[]; readonly others: readonly T[] } {
  if (known.length === 0 && cubes.length === 1) return { region: cubes, others: known };
  const region: Cube[] = [];
  let others = known;
  for (let more = cubes; more.length > 0;) {
    for (const cube of more) region.push(...withoutAll([cube], region));
    const wanted = more;
    const met = others.filter(({ lost }) => wanted.some((cube) => meet(lost, cube) !== undefined));
    others = others.filter((one) => !met.includes(one));
    more = [...new Set(met.map(({ lost }) => lost))];
  }
  return { region, others };
}
