import { meet, withSet, type Cube } from './cube.ts';
import { ALL, IN_PORT } from './fields.ts';
import type { Hop } from './hops.ts';
import type { ModelSwitch } from './network-model.ts';
import type { ValueSet } from './value-set.ts';

/** Headers, and the way that they take. */
interface FoundPath {
  readonly headers: Cube;
  readonly hops: readonly Hop[];
}

/** Loops or blackholes, by the switches on their ways. */
export class FoundPaths<T extends FoundPath> {
  private readonly bySwitch = new Map<ModelSwitch, Set<T>>();

  add(path: T): void {
    for (const { at } of path.hops) {
      const paths = this.bySwitch.get(at);
      if (paths === undefined) this.bySwitch.set(at, new Set([path]));
      else paths.add(path);
    }
  }

  delete(path: T): void {
    for (const { at } of path.hops) {
      const paths = this.bySwitch.get(at);
      paths?.delete(path);
      if (paths?.size === 0) this.bySwitch.delete(at);
    }
  }

  /** Those through a switch whose headers may be some of these there. */
  through(at: ModelSwitch, headers: readonly Cube[]): T[] {
    const paths = this.bySwitch.get(at);
    if (paths === undefined) return [];
    const anywhere = headers.map((cube) => withSet(cube, IN_PORT, ALL[IN_PORT] as ValueSet));
    return [...paths].filter((path) => mayHave(path, anywhere));
  }
}

/** Headers that entries change on the way may be any. */
const mayHave = ({ headers, hops }: FoundPath, cubes: readonly Cube[]): boolean =>
  hops.some(({ rule }) => rule.rewrites) || cubes.some((cube) => meet(headers, cube) !== undefined);
