import type { AnyBehavior } from '../../kernel/behavior.ts';
import { linearizableStore } from './lin-kv.ts';
import { timestampOracle } from './lin-tso.ts';
import { lastWriteWinsStore } from './lww-kv.ts';
import { sequentialStore } from './seq-kv.ts';

/** The services that nodes may use, by the names under which they are nodes. */
export const services = {
  'lin-kv': linearizableStore as AnyBehavior,
  'seq-kv': sequentialStore as AnyBehavior,
  'lww-kv': lastWriteWinsStore as AnyBehavior,
  'lin-tso': timestampOracle as AnyBehavior,
} as const;

/** The name of a service of Maelstrom that nodes may use: `lin-kv`, for example. */
export type ServiceName = keyof typeof services;

export const serviceNames = Object.keys(services) as ServiceName[];
