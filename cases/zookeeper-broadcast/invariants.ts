import type { Judgement, RunningProcess } from 'culprit';
import type { Transaction } from './history.ts';
import type { Server } from './server.ts';

/** What clients see on one server is the beginning of what they see on any other. */
export function sameData(servers: readonly RunningProcess<Server>[]): Judgement {
  for (const [at, one] of servers.entries()) {
    for (const other of servers.slice(at + 1)) {
      const differs = one.state.data.findIndex((mine, place) => !isSame(mine, other.state.data[place]));
      const [mine, theirs] = [one.state.data[differs], other.state.data[differs]];
      if (mine === undefined || theirs === undefined) continue;
      const message = `${one.name} has ${told(mine)} where ${other.name} has ${told(theirs)}`;
      return { message, processes: [one.name, other.name] };
    }
  }
  return true;
}

const isSame = (one: Transaction, other: Transaction | undefined): boolean =>
  other === undefined || told(one) === told(other);

const told = ({ epoch, count, value }: Transaction): string => `${value} as transaction ${epoch}.${count}`;
