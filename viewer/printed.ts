import { printableLines } from 'culprit/trace';
import { options, type VNode } from 'preact';

/**
 * Escapes characters that are invisible or change the direction of text: all texts and titles of the page pass through
 * here.
 */
export function printEverything(): void {
  options.vnode = (node) => printAll((node as VNode<Shown>).props);
}

interface Shown {
  children?: unknown;
  title?: unknown;
  'aria-label'?: unknown;
}

function printAll(props: Shown | null): void {
  // Nested texts have no properties.
  if (typeof props !== 'object' || props === null) return;
  for (const name of ['children', 'title', 'aria-label'] as const)
    if (props[name] !== undefined) props[name] = printed(props[name]);
}

function printed(shown: unknown): unknown {
  if (typeof shown === 'string') return printableLines(shown);
  return Array.isArray(shown) ? shown.map(printed) : shown;
}
