import type { System } from 'culprit';
import type { StrategyName } from 'culprit/kernel';

/** How many inputs a minimized execution has. */
interface Size {
  readonly min: number;
  readonly max: number;
}

/** A study of STS (Scott and others, 2014), and its counterpart here. */
export interface Study {
  /** Its number in the table of the thesis. */
  readonly number: number;
  /** The name of its folder. */
  readonly folder: string;
  readonly title: string;
  readonly app: string;
  readonly topology: string;
  /** The table of the thesis; its inputs include the connection of the switches, checks and the trailing wait. */
  readonly published: { readonly inputs: number; readonly mcs: number; readonly seconds?: number };
  /** The inputs that must be left here, without the connection of the switches. */
  readonly size: Size;
  /** The invariant that is violated. */
  readonly violates: string;
  /** The order of messages in hunts, if it is not that of every hunt. */
  readonly strategy?: StrategyName;
}

const exactly = (inputs: number): Size => ({ min: inputs, max: inputs });
const atMost = (inputs: number): Size => ({ min: 0, max: inputs });

export const studies: readonly Study[] = [
  {
    number: 1,
    folder: '01-pyretic-loop',
    title: 'Pyretic loop',
    app: 'hub',
    topology: 'mesh(3)',
    published: { inputs: 36, mcs: 2, seconds: 266 },
    size: exactly(2),
    violates: 'loops',
  },
  {
    number: 2,
    folder: '02-premature-packet-in',
    title: 'premature PacketIn',
    app: 'paths',
    topology: 'mesh(4)',
    published: { inputs: 102, mcs: 2, seconds: 249 },
    size: atMost(2),
    violates: 'noUncaughtException',
    // In a random order the connection of the switches is enough.
    strategy: 'round-robin',
  },
  {
    number: 3,
    folder: '03-in-flight-blackhole',
    title: 'in-flight blackhole',
    app: 'paths',
    topology: 'mesh(2)',
    published: { inputs: 46, mcs: 7, seconds: 641 },
    size: atMost(7),
    violates: 'blackholes',
  },
  {
    number: 4,
    folder: '04-migration-blackhole',
    title: 'migration blackhole',
    app: 'paths',
    topology: 'mesh(4)',
    published: { inputs: 29, mcs: 3, seconds: 1796 },
    size: exactly(3),
    violates: 'blackholes',
  },
  {
    number: 5,
    folder: '05-discovery-loop',
    title: 'NOX discovery loop',
    app: 'routing',
    topology: 'mesh(4)',
    published: { inputs: 150, mcs: 18, seconds: 4991 },
    size: atMost(18),
    violates: 'loops',
  },
  {
    number: 6,
    folder: '06-floodlight-loop',
    title: 'Floodlight loop',
    app: 'forwarding',
    topology: 'mesh(3)',
    published: { inputs: 117, mcs: 13, seconds: 27_931 },
    size: atMost(13),
    violates: 'loops',
  },
  {
    number: 7,
    folder: '07-database-locking',
    title: 'ONOS database locking',
    app: 'cluster',
    topology: 'mesh(2)',
    published: { inputs: 1, mcs: 1 },
    size: exactly(0),
    violates: 'connected',
  },
  {
    number: 8,
    folder: '08-failover',
    title: 'Floodlight failover',
    app: 'forwarding',
    topology: 'mesh(2) with a detour',
    published: { inputs: 202, mcs: 2 },
    size: exactly(2),
    violates: 'blackholes',
  },
  {
    number: 9,
    folder: '09-master-election',
    title: 'ONOS master election',
    app: 'cluster',
    topology: 'mesh(2)',
    published: { inputs: 30, mcs: 3, seconds: 6325 },
    size: exactly(2),
    violates: 'connectivity',
  },
  {
    number: 10,
    folder: '10-load-balancer',
    title: 'POX load balancer',
    app: 'balancer',
    topology: 'mesh(3)',
    published: { inputs: 106, mcs: 24, seconds: 2397 },
    size: exactly(24),
    violates: 'affinity',
  },
  {
    number: 11,
    folder: '11-null-pointer',
    title: 'null pointer',
    app: 'paths',
    topology: 'fatTree(4)',
    published: { inputs: 62, mcs: 2, seconds: 157 },
    size: exactly(2),
    violates: 'noUncaughtException',
  },
  {
    number: 12,
    folder: '12-overlapping-entries',
    title: 'overlapping flow entries',
    app: 'paths',
    topology: 'mesh(2)',
    published: { inputs: 27, mcs: 2, seconds: 115 },
    size: exactly(2),
    violates: 'overlap',
  },
  {
    number: 13,
    folder: '13-timer-interleaving',
    title: 'delicate timer interleaving',
    app: 'paths',
    topology: 'mesh(3)',
    published: { inputs: 39, mcs: 39 },
    size: atMost(38),
    violates: 'noUncaughtException',
  },
  {
    number: 14,
    folder: '14-algorithm',
    title: 'algorithm misimplementation',
    app: 'paths',
    topology: 'mesh(3)',
    published: { inputs: 40, mcs: 7, seconds: 525 },
    size: exactly(2),
    violates: 'loops',
  },
  {
    number: 15,
    folder: '15-threads',
    title: 'multithreaded race',
    app: 'threads',
    topology: 'mesh(10)',
    published: { inputs: 1596, mcs: 2, seconds: 36_968 },
    size: exactly(2),
    violates: 'noUncaughtException',
  },
  {
    number: 16,
    folder: '16-memory-leak',
    title: 'memory leak',
    app: 'paths',
    topology: 'mesh(2)',
    published: { inputs: 719, mcs: 30, seconds: 15_023 },
    size: exactly(28),
    violates: 'noUncaughtException',
  },
  {
    number: 17,
    folder: '17-memory-corruption',
    title: 'memory corruption',
    app: 'paths',
    topology: 'mesh(4)',
    published: { inputs: 341, mcs: 2, seconds: 146 },
    size: exactly(2),
    violates: 'noUncaughtException',
  },
];

/** The system for the table of replays and sizes (6.2), on which the thesis has a synthetic loop of Floodlight. */
export const nondeterministicLoop: Study = {
  number: 18,
  folder: '18-nondeterministic-loop',
  title: 'nondeterministic loop',
  app: 'circle',
  topology: 'mesh(3)',
  published: { inputs: 65, mcs: 6 },
  size: exactly(6),
  violates: 'loops',
};

/** A study by its number. */
export function study(number: number): Study {
  const found = studies.find((one) => one.number === number);
  if (found === undefined) throw new Error(`There is no study ${number}.`);
  return found;
}

/** The module of a study's system, as traces name it. */
export const moduleOf = ({ folder }: Study): string => `cases/networks/${folder}/network.system.ts`;

export async function systemOf({ folder }: Study): Promise<System> {
  const url = new URL(`${folder}/network.system.ts`, import.meta.url);
  const { default: system } = (await import(url.href)) as { readonly default: System };
  return system;
}
