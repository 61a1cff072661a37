import type { Oracle } from '../kernel/ports.ts';

/** Whether the verdict depends on earlier worlds: then executions cannot share the oracle with the worlds that they share. */
export const remembers = ({ begin, isOfWorld }: Oracle): boolean => begin !== undefined && isOfWorld !== true;
