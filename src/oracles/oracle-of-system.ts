import type { Oracle } from '../kernel/ports.ts';
import { allOf, named } from './all-of.ts';
import { invariantOracle, noUncaughtException } from './invariants.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** What every execution of the system is judged by. */
export const oracleOf = ({ invariants, oracles }: ResolvedSystem): Oracle =>
  allOf(noUncaughtException, invariantOracle(invariants), ...[...oracles].map(([name, oracle]) => named(name, oracle)));
