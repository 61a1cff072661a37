import { defaultTransport, noFaults, type AnyBehavior, type Declaration } from 'culprit/kernel';

/** A system of these processes, as the kernel takes it. */
export const declared = (processes: Record<string, AnyBehavior>, more: Partial<Declaration> = {}): Declaration => ({
  processes: new Map(Object.entries(processes)),
  kinds: new Map(),
  actions: new Map(),
  transport: defaultTransport,
  timers: 'any',
  faults: noFaults,
  ...more,
});
