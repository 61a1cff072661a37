import type { Live } from 'culprit/trace';

/** The progress of the command that shows the page. */
export function Doing({ live: { doing, isOver } }: { readonly live: Live }) {
  return (
    <p class={isOver ? 'doing over' : 'doing'} role="status">
      {isOver ? '■' : '▶'} {doing}
    </p>
  );
}
