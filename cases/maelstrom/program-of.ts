import { fileURLToPath } from 'node:url';
import type { AnyBehavior } from 'culprit/kernel';
import { command, stdio } from 'culprit/live';
import { maelstromLines } from 'culprit/maelstrom';

/** Makes a node that runs one of the programs of this case. */
export function programOf(
  [language, name]: readonly [language: string, name: string],
  env: Readonly<Record<string, string>>,
): () => AnyBehavior {
  const path = fileURLToPath(new URL(`programs/${name}`, import.meta.url));
  return () => command([language, path], { connect: stdio(maelstromLines()), env });
}
