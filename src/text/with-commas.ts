/** A whole number as people read it: `12,345`. `toLocaleString` takes 13 ms the first time, a tenth of what some commands take. */
export const withCommas = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
