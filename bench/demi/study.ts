/** The figures of the DEMi study for a bug, in events; the externals, in brackets there, are left out. */
interface Study {
  readonly initial: number;
  readonly provenance: number;
  readonly stssched: number;
  readonly nodiverge: number;
  readonly tfb: number;
  /** Minimized by hand. */
  readonly optimum: number;
  readonly schedules: number;
  readonly seconds: number;
}

const studyOf = (
  initial: number,
  provenance: number,
  stssched: number,
  tfb: number,
  optimum: number,
  nodiverge: number,
  [schedules, seconds]: readonly [number, number],
): Study => ({ initial, provenance, stssched, nodiverge, tfb, optimum, schedules, seconds });

/** Tables 1 and 2 of *Minimizing Faulty Executions of Distributed Systems* (Scott and others, 2016). */
export const study: Readonly<Record<string, Study>> = {
  'raft-45': studyOf(2160, 2138, 1183, 23, 22, 1826, [3_448, 170]),
  'raft-46': studyOf(1250, 1243, 674, 35, 23, 896, [4_902, 282]),
  'raft-56': studyOf(2380, 2376, 1427, 82, 21, 2064, [31_763, 2_132]),
  'raft-58a': studyOf(2850, 2824, 953, 226, 51, 2368, [835_596, 43_482]),
  'raft-58b': studyOf(1500, 1496, 164, 40, 28, 1103, [2_087, 69]),
  'raft-42': studyOf(1710, 1695, 1093, 180, 39, 1264, [177_085, 10_676]),
  'raft-66': studyOf(400, 392, 262, 77, 29, 279, [10_526, 348]),
  'spark-2294': studyOf(1000, 886, 43, 40, 25, 43, [326, 427]),
  'spark-3150': studyOf(600, 536, 18, 14, 11, 18, [195, 254]),
  'spark-9256': studyOf(300, 256, 11, 11, 11, 11, [73, 210]),
};
