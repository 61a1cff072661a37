import type { Operation } from 'culprit/kernel';
import { Random } from 'culprit/kernel';

type Input = { readonly f: 'get' } | { readonly f: 'put'; readonly value: number };
type Access = Operation<Input, number | null>;

interface Size {
  readonly operations: number;
  readonly clients: number;
  readonly keys: number;
  /** Few values are hard: many orders explain the same reads. */
  readonly values: number;
  /** Percentage of puts that take effect and never return. */
  readonly lost: number;
}

interface UnderWay {
  readonly operation: Access;
  readonly done?: { readonly output: number | null };
}

/**
 * The history that clients of a correct store see. At each position one client calls, has its operation executed, or
 * returns; an operation is thus concurrent with the events of others in between.
 */
export function simulated({ operations, clients, keys, values, lost }: Size, seed: number): Access[] {
  const random = Random.seeded(seed, 1);
  const store = new Map<string, number>();
  const underWay = new Map<string, UnderWay>();
  const history: Access[] = [];
  let names = clients;
  const processes = Array.from({ length: clients }, (_, at) => `c${at + 1}`);

  const perform = ({ key = '', input }: Access): { output: number | null } => {
    if (input.f === 'put') store.set(key, input.value);
    return { output: store.get(key) ?? null };
  };
  for (let position = 0; history.length < operations; position++) {
    const at = random.below(clients);
    const process = processes[at] as string;
    const current = underWay.get(process);
    if (current === undefined) {
      const input: Input = random.below(2) === 0 ? { f: 'get' } : { f: 'put', value: random.below(values) };
      const operation = { process, key: `k${random.below(keys)}`, input, called: position };
      underWay.set(process, { operation });
    } else if (current.done === undefined) {
      underWay.set(process, { ...current, done: perform(current.operation) });
    } else {
      underWay.delete(process);
      const isLost = current.operation.input.f === 'put' && random.below(100) < lost;
      history.push(isLost ? current.operation : { ...current.operation, ...current.done, returned: position });
      // A client without an answer does not know its result: a new client replaces it.
      if (isLost) processes[at] = `c${++names}`;
    }
  }
  // The effects of unreturned operations may have been seen.
  for (const { operation } of underWay.values()) history.push(operation);
  return history;
}

/** The last read returns a value that was never written: the whole history has to be searched to refute it. */
export function broken(history: readonly Access[]): Access[] {
  const at = history.findLastIndex(({ input, returned }) => input.f === 'get' && returned !== undefined);
  return history.with(at, { ...(history[at] as Access), output: -1 });
}
