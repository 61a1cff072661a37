import { HANDLER_MS } from '../kernel/drive.ts';
import type { Origin } from '../execution/record.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** The origin of an execution in which the user chooses the events. */
export const steppedOrigin = (
  system: ResolvedSystem,
  given: Partial<Omit<Origin, 'system' | 'strategy'>> = {},
): Origin => ({
  module: undefined,
  seed: 0,
  eventsMax: 1_000,
  handlerMs: HANDLER_MS,
  ...given,
  system,
  strategy: 'step',
});
