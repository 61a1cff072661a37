/**
 * The messages. A column is identified by its name alone: columns are written once, and a later one has a greater name.
 */
export type Message =
  // Between the client and its coordinator.
  | { type: 'write'; column: string }
  | { type: 'written'; column: string }
  | { type: 'read' }
  | { type: 'result'; columns: string[] }
  // Between the coordinator and the other replicas.
  | { type: 'mutation'; column: string }
  | { type: 'applied'; column: string }
  | { type: 'slice' }
  | { type: 'sliced'; columns: string[] }
  // A replica is back.
  | { type: 'up' };

/** The node that the client talks to. It is a replica as well. */
export const COORDINATOR = 'node-1';
export const CLIENT = 'client';
