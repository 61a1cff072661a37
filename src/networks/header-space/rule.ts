import type { FlowEntry } from '../switch/flow-table.ts';
import { sendsTo } from '../switch/flow-mod.ts';
import { compiled, type CompiledStep } from './compiled-actions.ts';
import { cubeOf, type Cube } from './cube.ts';

/** A flow entry as header space sees it. */
export interface Rule {
  readonly entry: FlowEntry;
  /** The headers that its match is for, also those that earlier entries take. */
  readonly cube: Cube;
  readonly steps: readonly CompiledStep[];
  readonly rewrites: boolean;
  /** Whether it sends packets to controllers. */
  readonly asksController: boolean;
  /** Of entries of equal priority, the one with the lower number comes first. */
  readonly order: number;
}

/** Undefined for an entry that no frame matches. */
export function ruleOf(entry: FlowEntry, order: number): Rule | undefined {
  const cube = cubeOf(entry.match);
  if (cube === undefined) return undefined;
  const steps = compiled(entry.actions);
  const rewrites = steps.some(({ kind }) => kind !== 'output');
  return { entry, cube, steps, rewrites, asksController: sendsTo(entry.actions, 'controller'), order };
}

/** The order in which a switch looks at entries. */
export const byPrecedence = (one: Rule, other: Rule): number =>
  other.entry.priority - one.entry.priority || one.order - other.order;
