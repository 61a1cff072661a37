import type { Parameter } from 'culprit';
import type { Bug } from './bugs.ts';

interface LongFailures {
  /** Parameters besides the bug. */
  readonly set: Readonly<Record<string, Parameter>>;
  readonly violates: string;
  /** By seed of the strategy `random`: how many events there are until something is violated. */
  readonly events: Readonly<Record<number, number>>;
}

/**
 * Long executions that fail, as raw material for minimization: of at most 3,000 events, at least 300, as in the study,
 * and with about as many commands as there.
 */
export const longFailures: Readonly<Record<Exclude<Bug, 'none'>, LongFailures>> = {
  'raft-45': {
    set: {},
    violates: 'electionSafety',
    events: { 5: 1902, 22: 2197, 85: 1526, 94: 1452, 100: 2402, 279: 590 },
  },
  'raft-46': {
    set: {},
    violates: 'electionSafety',
    events: { 22: 1657, 30: 2151, 32: 2590, 38: 470, 47: 1753, 91: 1352 },
  },
  'raft-56': {
    set: {},
    violates: 'electionSafety',
    events: { 13317: 2945, 15029: 1145, 23596: 1868, 35042: 1172, 89415: 1530 },
  },
  'raft-58a': {
    set: { commands: 200 },
    violates: 'noUncaughtException',
    events: { 373: 1284, 448: 1477, 3221: 1740, 3383: 1611, 3530: 2049, 5560: 938 },
  },
  'raft-58b': {
    set: { commands: 200 },
    violates: 'logMatching',
    events: { 3: 1296, 4: 1870, 6: 1055, 10: 1004, 37: 715, 45: 2332 },
  },
  'raft-42': {
    set: { commands: 200 },
    violates: 'leaderCompleteness',
    events: { 16: 2682, 20: 1107, 462: 857, 508: 1116, 549: 1931, 577: 662 },
  },
  'raft-66': {
    set: { commands: 60, unordered: true },
    violates: 'leaderCompleteness',
    events: { 15: 588, 94: 839, 246: 522, 826: 705, 1237: 920, 1682: 368 },
  },
};
