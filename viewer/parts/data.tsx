import type { Change } from 'culprit/trace';
import { useState } from 'preact/hooks';
import { written } from '../model/written.ts';
import { toggled } from './toggled.ts';

interface Props {
  readonly value: unknown;
  readonly changes?: readonly Change[] | undefined;
}

/** Data as a tree, with its changes marked. A click on a name opens or closes what is below it. */
export function Data({ value, changes = [] }: Props) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  return (
    <div class="data">
      {written(value, changes, turned).map(({ depth, name, text, isChanged, before, branch }, at) => (
        <div key={at} class={isChanged ? 'changed' : ''} style={{ paddingLeft: `${depth * 12}px` }}>
          {branch !== undefined ? (
            <button
              type="button"
              class="name"
              aria-expanded={branch.isOpen}
              onClick={() => setTurned((now) => toggled(now, branch.pointer))}
            >
              {name}:
            </button>
          ) : (
            name !== '' && <span class="name">{name}:</span>
          )}{' '}
          <span class="value">{text}</span>
          {before !== undefined && <span class="before"> {before === 'new' ? 'new' : `was ${before}`}</span>}
        </div>
      ))}
    </div>
  );
}
