import { amount, count, oneOf } from '../../kernel/options/fields.ts';
import { optionsOf } from '../../kernel/options/options.ts';
import type { SwitchOptions } from './switch-state.ts';

/** The options with values that can be wrong in a way that no type shows. */
type Numbers = Pick<SwitchOptions, 'buffers' | 'tableMax' | 'delayedTable' | 'echoMs' | 'connectTries'>;

const numbers = optionsOf<Numbers>('openflowSwitch', {
  buffers: count(0),
  tableMax: count(0),
  delayedTable: oneOf(['fifo', 'unordered']),
  echoMs: amount,
  connectTries: count(1),
});

/** Throws one sentence about the first option that is wrong. The ports are not looked at: a network has a million of them. */
export function checkSwitchOptions({ buffers, tableMax, delayedTable, echoMs, connectTries }: SwitchOptions): void {
  numbers.checked({ buffers, tableMax, delayedTable, echoMs, connectTries } as Numbers);
}
