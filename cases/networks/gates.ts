import { minimize, search } from 'culprit';
import type { MinimizeOptions } from 'culprit/kernel';
import { eventOf, isInternal, type Trace } from 'culprit/trace';
import { moduleOf, systemOf, type Study } from './studies.ts';

/** The inputs of an execution: what the environment did, without the starts of processes, its waits, and what actions consist of. */
export const inputsOf = ({ events }: Trace): Trace['events'] =>
  events.filter((line) => {
    const event = eventOf(line);
    return !isInternal(event) && !['start', 'wait'].includes(event.kind) && events[event.cause]?.kind !== 'act';
  });

const EVENTS_MAX = 1_000_000;

interface SearchSettings {
  readonly set?: Readonly<Record<string, string | number | boolean>>;
  readonly executions?: number;
  readonly seed?: number;
  readonly jobs?: number;
  /** Enough for real programs by default: every port sends a frame of discovery now and then. */
  readonly eventsMax?: number;
}

async function searched(
  study: Study,
  { set = {}, executions = 1, seed = 0, jobs = 1, eventsMax = EVENTS_MAX }: SearchSettings,
) {
  const { strategy } = study;
  const order = strategy === undefined ? {} : { strategy };
  const limits = { executions, control: false, eventsMax };
  const options = { set, seed, jobs, ...limits, ...order, module: moduleOf(study) };
  return search(await systemOf(study), options);
}

/** The first gate: executions without the bug, each with so many rounds; all hold. */
export const withoutBug = (study: Study, settings: SearchSettings = {}) =>
  searched(study, { ...settings, set: { rounds: 200, ...settings.set, bug: false } });

/** The second gate: executions with inputs drawn by the rates of the file. */
export const hunted = (study: Study, settings: SearchSettings = {}) => searched(study, { executions: 20, ...settings });

/** The third gate: the given script. */
export const scripted = (study: Study, settings: SearchSettings = {}) =>
  searched(study, { ...settings, set: { ...settings.set, script: true } });

/** No execution was violated after as many inputs as the published one has. */
export class NoRecording extends Error {
  constructor({ folder, published }: Study) {
    super(`${folder}: no violation after ${published.inputs} inputs in ${RECORDINGS_MAX} executions`);
    this.name = 'NoRecording';
  }
}

/** After so many executions of which none is long enough, no recording is made. */
const RECORDINGS_MAX = 100;

/** A recording with at least as many inputs as the published one: executions are tried in the order of their seeds, as many at a time as there are jobs. */
export async function recorded(study: Study, settings: SearchSettings = {}): Promise<Trace> {
  const { jobs = 1, seed: first = 0 } = settings;
  for (let seed = first; seed < first + RECORDINGS_MAX;) {
    const { findings } = await searched(study, { ...settings, seed, executions: jobs });
    const found = findings[0]?.trace;
    if (found !== undefined && inputsOf(found).length >= study.published.inputs) return found;
    seed = found === undefined ? seed + jobs : found.header.seed + 1;
  }
  throw new Error(
    `${study.folder}: no violation after ${study.published.inputs} inputs in ${RECORDINGS_MAX} executions`,
  );
}

/** The fourth gate: a recording is minimized. */
export const minimized = async (study: Study, trace: Trace, options: MinimizeOptions = {}) =>
  minimize(await systemOf(study), trace, { module: moduleOf(study), proofStates: 0, ...options });
