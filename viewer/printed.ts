import { printableLines } from 'culprit/trace';
import { options, type VNode } from 'preact';

/**
 * Lets nothing onto the page that would not be seen there or would turn the writing round: whatever a part shows, and says of it where
 * one points at it, passes here.
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
  // Texts within others have no properties.
  if (typeof props !== 'object' || props === null) return;
  for (const name of ['children', 'title', 'aria-label'] as const)
    if (props[name] !== undefined) props[name] = printed(props[name]);
}

function printed(shown: unknown): unknown {
  if (typeof shown === 'string') return printableLines(shown);
  return Array.isArray(shown) ? shown.map(printed) : shown;
}
