import { oldestNode } from '../files/version.ts';
import type { CheckResult } from './check.ts';

/** Whether culprit supports this version of Node. */
export function nodeVersion(running: string = process.versions.node): CheckResult {
  const check = 'node';
  const isRecent = compareVersions(running, oldestNode) >= 0;
  return isRecent
    ? { check, level: 'ok', message: `Node is recent enough (${oldestNode} or later)` }
    : {
        check,
        level: 'problem',
        message: `Node is ${running}, which is too old`,
        next: `Install ${oldestNode} or later.`,
      };
}

/** Negative if `a` is older. */
function compareVersions(a: string, b: string): number {
  const [one, two] = [a, b].map((version) => version.split('.').map(Number));
  return [0, 1, 2].map((at) => (one?.[at] ?? 0) - (two?.[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
