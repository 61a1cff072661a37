import type { Oracle } from '../../kernel/ports.ts';
import type { FinalReads } from '../control.ts';
import type { Body } from '../protocol/body.ts';
import type { FinalCheck } from '../checks/final-state.ts';

/** Random numbers, as arbitraries get them: both ends included. */
export interface Dice {
  nextInt(min: number, max: number): number;
}

/** What a client keeps between its operations: plain data. */
export type Memory = Record<string, unknown>;

/** How the history notes an operation. */
export interface NotedCall {
  readonly input: unknown;
  readonly key?: string;
}

/** A workload of Maelstrom: what clients ask, which answers nodes may give, and how the answers are judged. */
export interface Workload {
  /** Draws request number `nth`, which counts from 0. */
  readonly request: (dice: Dice, nth: number) => Body;
  /** The body that a client sends for a request, where it depends on earlier answers. */
  readonly prepare?: (request: Body, memory: Memory) => Body;
  /** Takes note of an answer in the memory of the client. */
  readonly learn?: (memory: Memory, request: Body, reply: Body) => void;
  /** The reason why a body does not answer the request; undefined if it does. */
  readonly whyWrong: (request: Body, reply: Body) => string | undefined;
  /** How the history notes a request and its answer, where it is not the bodies themselves. Definite errors are then failures. */
  readonly noted?: {
    readonly call: (request: Body) => NotedCall;
    readonly output: (request: Body, reply: Body) => unknown;
  };
  /** Whether nodes get their neighbors in the message `topology`. */
  readonly hasTopology?: boolean;
  /** Judges the history of the clients. */
  readonly oracle?: Oracle;
  /** Reads the final state of every node, and judges it. */
  readonly final?: FinalReads & { readonly check: FinalCheck };
}

export const pickFrom = <T>(dice: Dice, from: readonly T[]): T => from[dice.nextInt(0, from.length - 1)] as T;

/** The reason why a reply does not have the type that answers the request, or lacks a field. */
export function whyWrongType(
  request: Body,
  reply: Body,
  field?: string,
  fits: (value: unknown) => boolean = () => true,
) {
  const expected = `${request.type}_ok`;
  if (reply.type !== expected) return `it is not ${expected}`;
  if (field === undefined) return undefined;
  if (!Object.hasOwn(reply, field)) return `it has no ${field}`;
  return fits(reply[field]) ? undefined : `its ${field} is of the wrong type`;
}
