import { noFaults, type Faults } from 'culprit/kernel';
import type { Handler } from './script.ts';
import type { Shape } from './shapes.ts';

/** Kinds of statement: most are named as in scripts; awaiting ones have their own names. */
export type Kind =
  | 'count'
  | 'change'
  | 'test'
  | 'send'
  | 'ask'
  | 'await ask'
  | 'reply'
  | 'sleep'
  | 'await sleep'
  | 'write'
  | 'await write'
  | 'read'
  | 'await read'
  | 'timer'
  | 'ticks'
  | 'spawn'
  | 'throw'
  | 'hide'
  | 'detach';

type Manner = Handler['manner'];

/** The ingredients of the systems of one family. A kind that is listed twice is drawn twice as often. */
export interface Family {
  readonly kinds: readonly Kind[];
  readonly manners: readonly Manner[];
  readonly shape?: Shape;
  /** Externals besides sending. */
  readonly workload: readonly ('crash' | 'restart' | 'stop' | 'cut' | 'heal' | 'wait' | 'pause' | 'resume')[];
  /** The maximum of each budget. */
  readonly faults: Faults;
  readonly blocking?: boolean;
  /** Two processes and one message from outside, because so much else happens. */
  readonly few?: boolean;
  /** Many starts do something, and may await it: a crash can happen in between. */
  readonly startsSlowly?: boolean;
  /** Starts change data too, so that every later event finds some. */
  readonly startsWithData?: boolean;
  /** Asks are not always caught, and async functions that are not returned may throw. */
  readonly rejects?: boolean;
  /** Timers repeat forever, and executions are cut. */
  readonly endless?: boolean;
  /** Messages use lanes, and links and lanes have rules of their own. */
  readonly lanes?: boolean;
  /** Their only violations are hidden parts. */
  readonly hides?: boolean;
}

const plain = { manners: ['plain'], workload: [], faults: noFaults } as const;
const base = ['count', 'send', 'send'] as const;
const onData: readonly Kind[] = ['count', 'send', 'change', 'change', 'change', 'change', 'test'];
const data: readonly Kind[] = ['count', 'change', 'change', 'test', 'send', 'send'];
const requests: readonly Kind[] = ['ask', 'await ask', 'reply', 'await sleep', 'write', 'await write', 'await read'];
const everything: readonly Kind[] = [...data, ...requests, 'timer', 'ticks', 'detach'];

export const families = {
  messages: { ...plain, kinds: base },
  aliases: { ...plain, kinds: onData, shape: 'aliases', startsWithData: true },
  cycles: { ...plain, kinds: onData, shape: 'cycles', startsWithData: true },
  values: { ...plain, kinds: onData, shape: 'values' },
  timers: { ...plain, kinds: [...base, 'timer', 'timer'] },
  disks: { ...plain, kinds: [...base, 'write', 'read', 'sleep'], faults: { ...noFaults, crashes: 1, restarts: 1 } },
  asks: { ...plain, kinds: ['count', 'send', 'ask', 'reply', 'reply'] },
  async: {
    ...plain,
    kinds: ['count', 'send', 'await ask', 'reply', 'await sleep', 'await write', 'await read', 'write', 'ticks'],
    manners: ['plain', 'async', 'async'],
  },
  ticks: { ...plain, kinds: [...base, 'ticks', 'ticks', 'await write'], manners: ['plain', 'async'] },
  detached: {
    ...plain,
    kinds: ['count', 'send', 'detach', 'detach', 'await write', 'await ask', 'reply', 'ticks'],
    manners: ['plain', 'async', 'void'],
  },
  blocking: {
    ...plain,
    kinds: ['count', 'send', 'await ask', 'reply', 'await sleep', 'await write', 'timer'],
    manners: ['plain', 'async', 'async'],
    blocking: true,
  },
  spawns: { ...plain, kinds: [...base, 'spawn'] },
  crashes: {
    ...plain,
    kinds: [...base, 'timer', 'write'],
    faults: { ...noFaults, crashes: 1, restarts: 1 },
  },
  'async crashes': {
    ...plain,
    kinds: ['count', 'send', 'await ask', 'reply', 'await write', 'await read'],
    manners: ['plain', 'async'],
    startsSlowly: true,
    faults: { ...noFaults, crashes: 1, restarts: 1 },
  },
  cuts: { ...plain, kinds: base, faults: { ...noFaults, partitions: 1 } },
  losses: { ...plain, kinds: [...base, 'timer'], faults: { ...noFaults, losses: 1, duplicates: 1 } },
  workloads: {
    ...plain,
    kinds: [...base, 'timer', 'write'],
    workload: ['crash', 'restart', 'stop', 'wait', 'cut', 'heal'],
  },
  throws: { ...plain, kinds: [...base, 'throw', 'test'], manners: ['plain', 'async'], shape: 'values' },
  rejects: {
    ...plain,
    kinds: ['count', 'send', 'detach', 'throw', 'await ask', 'reply', 'ticks'],
    manners: ['plain', 'async', 'void'],
    rejects: true,
  },
  mixed: {
    ...plain,
    kinds: everything,
    manners: ['plain', 'async', 'void'],
    shape: 'aliases',
    workload: ['crash', 'restart', 'stop', 'wait'],
    faults: { ...noFaults, crashes: 1, restarts: 1, partitions: 1, losses: 1, duplicates: 1 },
    blocking: true,
    few: true,
  },
  endless: { ...plain, kinds: [...base, 'timer', 'write'], endless: true, few: true },
  'spawns and crashes': { ...plain, kinds: [...base, 'spawn'], faults: { ...noFaults, crashes: 1 } },
  hidden: {
    ...plain,
    kinds: ['count', 'send', 'send', 'hide', 'hide', 'await write'],
    manners: ['plain', 'async'],
    hides: true,
  },
  lanes: { ...plain, kinds: ['count', 'send', 'send', 'send', 'send'], lanes: true, few: true },
  'lanes and faults': {
    ...plain,
    kinds: ['count', 'send', 'send', 'send'],
    workload: ['cut', 'heal'],
    faults: { ...noFaults, partitions: 1, losses: 1, duplicates: 1 },
    few: true,
    lanes: true,
  },
  holds: {
    ...plain,
    kinds: ['count', 'send', 'send', 'timer'],
    faults: { ...noFaults, holds: 1 },
    lanes: true,
    few: true,
  },
  pauses: {
    ...plain,
    kinds: ['count', 'send', 'timer'],
    workload: ['pause', 'resume', 'resume', 'crash'],
    faults: { ...noFaults, pauses: 1 },
    few: true,
  },
} satisfies Record<string, Family>;

export type FamilyName = keyof typeof families;
export const familyNames = Object.keys(families) as FamilyName[];
