import type { Oracle } from '../kernel/ports.ts';
import { allOf } from './all-of.ts';
import { named } from './named-oracle.ts';
import { invariantOracle, noUncaughtException } from './invariants.ts';
import type { ResolvedSystem } from '../system/resolve.ts';

/** The oracle that judges every execution of the system. */
export const oracleOf = ({ invariants, oracles }: ResolvedSystem): Oracle =>
  allOf(noUncaughtException, invariantOracle(invariants), ...[...oracles].map(([name, oracle]) => named(name, oracle)));
