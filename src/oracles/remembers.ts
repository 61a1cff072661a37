import type { Oracle } from '../kernel/ports.ts';

/** Whether the verdict depends on earlier worlds: then executions cannot share the oracle with the worlds that they share. */
export const remembers = (oracle: Oracle): boolean => oracle.begin !== undefined && oracle.isOfWorld !== true;
