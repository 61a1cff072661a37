import type { Judgment, RunningProcess, World } from 'culprit';
import { logOn } from './disk.ts';
import type { Transaction } from './history.ts';
import type { Server } from './server.ts';

/** What clients see on one server is the beginning of what they see on any other. */
export function sameData(servers: readonly RunningProcess<Server>[]): Judgment {
  for (const [at, one] of servers.entries()) {
    for (const other of servers.slice(at + 1)) {
      const differs = one.state.data.findIndex((mine, place) => !isSame(mine, other.state.data[place]));
      const [mine, theirs] = [one.state.data[differs], other.state.data[differs]];
      if (mine === undefined || theirs === undefined) continue;
      const message = `${one.name} has ${describe(mine)} where ${other.name} has ${describe(theirs)}`;
      return { message, processes: [one.name, other.name] };
    }
  }
  return true;
}

/** A number stands for one value on every disk: otherwise it would be ambiguous later. */
export function oneValue(world: Pick<World, 'process'>): Judgment {
  const first = new Map<string, { readonly name: string; readonly transaction: Transaction }>();
  for (const name of ['A', 'B', 'C']) {
    for (const transaction of logOn(world.process(name).disk)) {
      const known = first.get(numbered(transaction));
      if (known !== undefined && !isSame(known.transaction, transaction)) {
        const message = `${known.name} has logged ${describe(known.transaction)}, and ${name} ${describe(transaction)}`;
        return { message, processes: [known.name, name] };
      }
      first.set(numbered(transaction), known ?? { name, transaction });
    }
  }
  return true;
}

const isSame = (one: Transaction, other: Transaction | undefined): boolean =>
  other === undefined || describe(one) === describe(other);

const describe = (transaction: Transaction): string => `${transaction.value} as transaction ${numbered(transaction)}`;

const numbered = ({ epoch, count }: Transaction): string => `${epoch}.${count}`;
