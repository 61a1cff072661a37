import { existsSync, readFileSync } from 'node:fs';
import { readTrace, type Trace } from 'culprit/trace';
import type { Study } from './studies.ts';

const fileIn = ({ folder }: Study, name: string): URL => new URL(`${folder}/${name}`, import.meta.url);

/** Whether the minimized execution of a study is stored. */
export const isStored = (study: Study): boolean => existsSync(fileIn(study, 'best/mcs.trace'));

/** The minimized execution of a study, by real programs. */
export function storedMcs(study: Study): Trace {
  const url = fileIn(study, 'best/mcs.trace');
  return readTrace(readFileSync(url, 'utf8'), url.pathname);
}

export const pageOf = (study: Study): string => readFileSync(fileIn(study, 'README.md'), 'utf8');
