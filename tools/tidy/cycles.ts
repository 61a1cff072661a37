import { posix } from 'node:path';
import { linksOf } from './imports.ts';
import type { Problem, SourceFile } from './rules.ts';

/** Files of `src` that import one another in a circle, types included: none of them can be read first. */
export function cyclesIn(files: readonly SourceFile[]): Problem[] {
  const sources = files.filter(({ path }) => path.startsWith('src/') && path.endsWith('.ts'));
  const known = new Set(sources.map(({ path }) => path));
  const imports = new Map(sources.map((file) => [file.path, importsOf(file, known)]));
  return new Circles(imports).found().map((circle) => ({
    path: circle[0] as string,
    line: 1,
    message: `imports itself in a circle with ${circle.slice(1).join(', ')}: move what they share to a file of its own`,
  }));
}

const importsOf = ({ path, text }: SourceFile, known: ReadonlySet<string>): string[] =>
  linksOf(text)
    .imports.map(({ specifier }) => posix.join(posix.dirname(path), specifier))
    .filter((imported) => known.has(imported));

/** The strongly connected parts of a graph with more than one node, by Tarjan's algorithm. */
class Circles {
  private readonly order = new Map<string, number>();
  private readonly earliest = new Map<string, number>();
  private readonly open: string[] = [];
  private readonly circles: string[][] = [];

  constructor(private readonly edges: ReadonlyMap<string, readonly string[]>) {}

  found(): readonly string[][] {
    for (const node of this.edges.keys()) if (!this.order.has(node)) this.visit(node);
    return this.circles;
  }

  private visit(node: string): void {
    const number = this.order.size;
    this.order.set(node, number);
    this.earliest.set(node, number);
    this.open.push(node);
    for (const next of this.edges.get(node) ?? []) {
      if (!this.order.has(next)) this.visit(next);
      if (this.open.includes(next)) this.earliest.set(node, Math.min(this.earliestOf(node), this.earliestOf(next)));
    }
    if (this.earliestOf(node) === number) this.close(node);
  }

  /** The nodes from this one on reach one another. */
  private close(node: string): void {
    const circle = this.open.splice(this.open.indexOf(node)).sort();
    if (circle.length > 1) this.circles.push(circle);
  }

  private earliestOf(node: string): number {
    return this.earliest.get(node) as number;
  }
}
