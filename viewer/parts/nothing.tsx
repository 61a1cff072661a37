import type { Live } from 'culprit/trace';
import { Doing } from './doing.tsx';

/** Shown while no execution has been found. */
export function Nothing({ title, live }: { readonly title: string; readonly live: Live | undefined }) {
  return (
    <div class="nothing">
      <h1>{title}</h1>
      {live === undefined ? <p>Nothing to show.</p> : <Doing live={live} />}
    </div>
  );
}
