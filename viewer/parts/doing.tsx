import type { Live } from 'culprit/trace';

/** How the command that shows this is getting on. */
export function Doing({ live: { status, isOver } }: { readonly live: Live }) {
  return (
    <p class={isOver ? 'doing over' : 'doing'} role="status">
      {isOver ? '■' : '▶'} {status}
    </p>
  );
}
