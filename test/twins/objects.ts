import type { Operation } from 'culprit/kernel';
import type { Run } from './linearizability.ts';

/** The objects of the models, as ordinary mutable objects; each of them has all keys. */
interface Asked {
  readonly f: string;
  readonly value?: unknown;
}

export function cells(): Run<Asked> {
  const values = new Map<string, unknown>();
  return ({ f, value }, key) => {
    const current = values.get(key) ?? null;
    if (f === 'read' || f === 'get') return current;
    if (f === 'delete') values.delete(key);
    if (f === 'write' || f === 'put') values.set(key, value);
    if (f !== 'cas') return undefined;
    const [expected, replacement] = value as [unknown, unknown];
    if (current === expected) values.set(key, replacement);
    return current === expected;
  };
}

export function queues(): Run<Asked> {
  const byKey = new Map<string, unknown[]>();
  return ({ f, value }, key) => {
    const queue = byKey.get(key) ?? [];
    byKey.set(key, queue);
    if (f === 'dequeue') return queue.shift() ?? null;
    queue.push(value);
    return undefined;
  };
}

export function sets(): Run<Asked> {
  const members = new Set<string>();
  return ({ f, value }, key) => {
    const member = `${key} ${String(value)}`;
    const contained = members.has(member);
    if (f === 'add') members.add(member);
    if (f === 'remove') members.delete(member);
    return f === 'add' ? !contained : contained;
  };
}

/** Takes the oldest value and the newest in turn. Other choices would do as well: see `legalBag`. */
export function bags(): Run<Asked> {
  const byKey = new Map<string, unknown[]>();
  return ({ f, value }, key) => {
    const held = byKey.get(key) ?? [];
    byKey.set(key, held);
    if (f === 'take') return (held.length % 2 === 0 ? held.pop() : held.shift()) ?? null;
    held.push(value);
    return undefined;
  };
}

/** Whether bags, one per key, can choose their values so that all takes return their outputs. */
export function legalBag(order: readonly Operation<Asked, unknown>[], held: readonly string[] = []): boolean {
  const [first, ...rest] = order;
  if (first === undefined) return true;
  const named = (value: unknown): string => `${first.key ?? ''} ${String(value)}`;
  if (first.input.f === 'put') return legalBag(rest, [...held, named(first.input.value)]);
  const known = first.returned !== undefined && 'output' in first;
  const own = held.filter((value) => value.startsWith(named('')));
  if (own.length === 0) return (!known || first.output === null) && legalBag(rest, held);
  const taken = known ? own.filter((value) => value === named(first.output)) : own;
  return taken.some((value) => legalBag(rest, held.toSpliced(held.indexOf(value), 1)));
}
