import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flowMod } from '../openflow/flow-mod-message.ts';
import type { FlowMod, Match } from '../openflow/messages.ts';
import { reducedFlowMods, tableAfter, textOf, withoutTrailingDeletes } from './reduced-flow-mods.ts';

const matches: readonly Match[] = [{}, { inPort: 1 }, { inPort: 1, dlType: 0x0806 }, { dlType: 0x0806 }];

const arbitraryFlowMod = fc
  .record({
    command: fc.constantFrom<FlowMod['command']>('add', 'add', 'modify', 'modify_strict', 'delete', 'delete_strict'),
    match: fc.constantFrom(...matches),
    priority: fc.constantFrom(1, 2),
    port: fc.constantFrom(1, 2),
    idleTimeout: fc.constantFrom(0, 0, 9),
  })
  .map(({ port, ...given }) => flowMod({ ...given, actions: [{ type: 'output', port, maxLen: 0 }] }));

const textAfter = (mods: readonly FlowMod[]): string => tableAfter(mods).map(textOf).toSorted().join('\n');

test('flow_mods are reduced to a part that makes the same table, and none of it can be left out', () => {
  fc.assert(
    fc.property(fc.array(arbitraryFlowMod, { maxLength: 8 }), (mods) => {
      const whole = textAfter(mods);
      const kept = reducedFlowMods(mods).map((at) => mods[at] as FlowMod);
      expect(textAfter(kept)).toBe(whole);
      for (const at of kept.keys()) expect(textAfter(kept.toSpliced(at, 1))).not.toBe(whole);
    }),
    { numRuns: 500 },
  );
});

test('only entries that are asked for are explained', () => {
  const mods = [1, 2, 3].map((inPort) => flowMod({ match: { inPort } }));
  expect(reducedFlowMods(mods, ({ match }) => match.inPort === 2)).toEqual([1]);
});

test('deletes at the end are ignored', () => {
  const add = flowMod({ match: { inPort: 1 } });
  const clear = flowMod({ command: 'delete' });
  expect(reducedFlowMods([add, clear])).toEqual([]);
  expect(withoutTrailingDeletes([clear, add, clear, clear])).toEqual([clear, add]);
});
