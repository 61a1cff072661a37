import type { Live } from 'culprit/trace';

/** The progress of the command that shows the page. */
export function Doing({ live: { status, isOver } }: { readonly live: Live }) {
  return (
    <p class={isOver ? 'doing over' : 'doing'} role="status">
      {isOver ? '■' : '▶'} {status}
    </p>
  );
}
