import type { Run } from './linearizability.ts';

/** What the models describe, as ordinary objects that are changed in place; each of them has all keys. */
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
  const queues = new Map<string, unknown[]>();
  return ({ f, value }, key) => {
    const queue = queues.get(key) ?? [];
    queues.set(key, queue);
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
