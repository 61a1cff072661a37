import { withCommas } from './with-commas.ts';

/** `1 execution`, `2,000 executions`. */
export const plural = (count: number, noun: string): string => `${withCommas(count)} ${noun}${count === 1 ? '' : 's'}`;
