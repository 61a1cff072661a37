import type { DrawnHop } from '../../model/topology/shown-topology.ts';
import { HOPS_MAX } from '../../../src/networks/words/packet-path.ts';
import { standingOf } from './hops.tsx';

interface Props {
  readonly hops: readonly DrawnHop[];
  readonly event: number;
  readonly onGo: (event: number) => void;
}

const fates = { arrived: '', lost: ', lost', pending: ', still under way' } as const;

/** The way of the packet, hop by hop. */
export const PathList = ({ hops, event, onGo }: Props) => (
  <div class="path">
    <h3>Path of the packet</h3>
    <ol>
      {hops.map((hop, at) => (
        <li key={at}>
          <button
            type="button"
            class={`event-link ${standingOf(hop, event)}`}
            aria-current={hop.event === event ? 'step' : undefined}
            onClick={() => onGo(hop.event)}
          >
            <span class="number">{hop.event + 1}</span> {hop.fromName} → {hop.to}
            {fates[hop.fate]}
          </button>
        </li>
      ))}
    </ol>
    {hops.length === HOPS_MAX && <p class="hint">Only the first {HOPS_MAX} hops are shown.</p>}
  </div>
);
