import { HANDLER_MS } from '../kernel/drive.ts';
import type { Origin } from '../execution/record.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** How an execution is made in which somebody decides what happens next. */
export const byHand = (system: ResolvedSystem, given: Partial<Omit<Origin, 'system' | 'strategy'>> = {}): Origin => ({
  module: undefined,
  seed: 0,
  eventsMax: 1_000,
  handlerMs: HANDLER_MS,
  ...given,
  system,
  strategy: 'step',
});
