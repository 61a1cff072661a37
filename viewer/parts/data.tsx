import type { Change } from 'culprit/trace';
import { written } from '../model/written.ts';

interface Props {
  readonly value: unknown;
  readonly changes?: readonly Change[] | undefined;
}

/** Data with its changes marked. */
export const Data = ({ value, changes = [] }: Props) => (
  <div class="data">
    {written(value, changes).map(({ depth, name, text, isChanged, before }, at) => (
      <div key={at} class={isChanged ? 'changed' : ''} style={{ paddingLeft: `${depth * 12}px` }}>
        {name !== '' && <span class="name">{name}:</span>} <span class="value">{text}</span>
        {before !== undefined && <span class="before"> {before === 'new' ? 'new' : `was ${before}`}</span>}
      </div>
    ))}
  </div>
);
