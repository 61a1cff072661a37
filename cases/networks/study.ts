import { fileURLToPath } from 'node:url';
import { defineSystem, fromClass, type System } from 'culprit';
import type { AnyBehavior, Parameters } from 'culprit/kernel';
import { command, jsonLines, tcp } from 'culprit/live';
import {
  controller,
  defineNetwork,
  type ControllerOptions,
  type NetworkDefinition,
  type Persist,
} from 'culprit/networks';
import type { Deliver } from 'culprit/trace';
import { apps } from './apps.ts';
import type { AppOptions, Received } from './base/app.ts';
import { paced } from './base/paced.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const program = fileOf('controller.js');

/** A controller of a study. */
interface StudiedController {
  readonly app: string;
  readonly bug: string;
  /** Further arguments, such as `{ max: '30' }`. */
  readonly given?: Readonly<Record<string, string>>;
  /** The peers that it connects to by itself, and their ports. */
  readonly connects?: Readonly<Record<string, number>>;
  /** The store that it connects to. */
  readonly store?: string;
  /** Whether the program is the one in Python, which is the app `paths` alone. */
  readonly python?: boolean;
  readonly options?: ControllerOptions<object>;
}

/** An option of controllers: their random numbers follow from the seed of an execution, and their clock and timers are their own. */
export const drawsOnly = { shim: 'node', time: false, timers: false, logs: false } as const;

/** How the controllers of an execution run. */
export interface Running {
  /** As programs, over TCP; otherwise in memory, under full control. */
  readonly live: boolean;
  /** So many times as fast their clocks run. */
  readonly pace: number;
  /** Whether timers, clocks and random numbers of programs are culprit's. */
  readonly shim: boolean;
}

/** A controller as a program. */
function asProgram(
  name: string,
  { app, bug, given = {}, connects = {}, store, python = false, options }: StudiedController,
  { pace, shim }: Running,
) {
  const line = python ? ['python3', fileOf('python/paths.py')] : ['node', program, '--app', app, '--self', name];
  line.push('--bug', bug, '--pace', `${pace}`, '--listen', '$address:$port');
  for (const [argument, value] of Object.entries(given)) line.push(`--${argument}`, value);
  const ports = { ...connects, ...(store === undefined ? {} : { [store]: STORE_PORT }) };
  for (const [peer, port] of Object.entries(ports)) line.push('--peer', `${peer}=$address.${peer}:${port}`);
  if (options?.peers !== undefined) line.push('--listen-peers', `$address:${options.peers.port}`);
  return controller(line, { ...options, ...(shim ? { inside: { shim: python ? 'python' : 'node' } as const } : {}) });
}

/** Where a store listens for controllers. */
const STORE_PORT = 7100;

/** A store that controllers share, as a program. */
const storeProgram = (name: string) =>
  command(['node', program, '--app', 'store', '--self', name, '--listen-peers', '$address:$port'], {
    port: STORE_PORT,
    connect: tcp(jsonLines()),
  });

/** The same controller in memory. */
function inMemory({ app, bug, given = {}, connects = {}, python }: StudiedController, pace: number): AnyBehavior {
  if (python === true) throw new Error('A controller in Python does not run in memory: leave out `live=false`.');
  const Made = apps[app];
  if (Made === undefined) throw new Error(`There is no app ${app}.`);
  const options: AppOptions = { bug, given, peers: Object.keys(connects), pace };
  return fromClass(Made, {
    create: (io) => new Made(paced(io, pace), options),
    receive: (made, message: Received, from) => made.receive(message, from),
    view: (made) => made.view(),
  });
}

function controllersOf(
  all: Readonly<Record<string, StudiedController>>,
  running: Running,
): Record<string, AnyBehavior> {
  const made = (name: string, one: StudiedController): AnyBehavior =>
    running.live ? asProgram(name, one, running) : inMemory(one, running.pace);
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, made(name, one)]));
}

const storesOf = (names: readonly string[], { live, pace }: Running): Record<string, AnyBehavior> =>
  Object.fromEntries(
    names.map((name) => [name, live ? storeProgram(name) : inMemory({ app: 'store', bug: 'none' }, pace)]),
  );

/** What a study has, besides what `defineNetwork` takes. */
export interface StudyDefinition extends Omit<NetworkDefinition, 'controllers'> {
  /** By their names. `bug` is `none` where the study is run without its bug. */
  readonly controllers: Readonly<Record<string, StudiedController>>;
  /** The names of stores that controllers share. */
  readonly stores?: readonly string[];
  /** The inputs that reproduce the bug, in their order; and those that happen at certain events. */
  readonly script: NonNullable<NetworkDefinition['traffic']>;
  readonly scriptTriggers?: NonNullable<NetworkDefinition['triggers']>;
  /** Whether a message is lost while the script runs; none is by default. */
  readonly scriptLoses?: (message: Deliver) => boolean;
}

/** Values of the parameters of every study. */
export interface StudyParameters extends Running {
  /** Whether the controllers have their bug. */
  readonly bug: boolean;
  /** Whether the inputs are those of the script, and not drawn by rates. */
  readonly script: boolean;
  /** How many rounds have inputs drawn by rates. */
  readonly rounds: number;
  /** The messages that replays do not compare with the recording: none, keepalives, or frames as well, as by default. */
  readonly passes: string;
  /** Whether replays look ahead which events a part of the recording still has. */
  readonly peeks: boolean;
  /** How much longer than in the recording the first replay awaits an event; 0 for the default. */
  readonly epsilonMs: number;
}

/** How long a problem has to last: for three rounds, or until a controller in memory has nothing to do about it. */
export const lasting = ({ live }: Running): { readonly persist: Persist } => ({ persist: live ? 3 : 'untilIdle' });

/** Timers of controllers in memory fire in the order of their times, and messages mostly arrive before the next one fires; in a script nearly always. */
const asIfLive = ({ script }: StudyParameters): Pick<NetworkDefinition, 'timers' | 'weights'> => ({
  timers: { skewMs: 0 },
  weights: { fire: script ? 0.001 : 0.01 },
});

const passing = ({ passes }: StudyParameters): Pick<NetworkDefinition, 'passKeepalives' | 'passFrames'> => ({
  ...(passes === 'none' ? { passKeepalives: false } : {}),
  ...(passes === 'all' ? {} : { passFrames: false }),
});

const waiting = ({ peeks, epsilonMs }: StudyParameters): NonNullable<NetworkDefinition['waiting']> => ({
  ...(peeks ? { peek: 'replay' as const } : {}),
  ...(epsilonMs > 0 ? { firstEpsilonMs: epsilonMs } : {}),
});

const defaults = {
  bug: true,
  live: true,
  script: false,
  pace: 20,
  shim: false,
  passes: 'all',
  peeks: false,
  epsilonMs: 0,
};

/**
 * The system of a study: `--set bug=false`, `--set live=false`, `--set script=true`, `--set rounds=400`, `--set pace=5`. It may have
 * parameters of its own, and other defaults: the slower a controller's clock, the less a busy machine disturbs it.
 */
export function studySystem<P extends Parameters = Record<never, never>>(
  rounds: number,
  define: (parameters: StudyParameters & P) => StudyDefinition,
  own: P = {} as P,
): System {
  return defineSystem({ ...defaults, rounds, ...own }, (values) => {
    // Values have the types of their defaults, which a type parameter does not say.
    const parameters = values as unknown as StudyParameters & P;
    const {
      controllers,
      stores = [],
      script,
      scriptTriggers,
      scriptLoses,
      traffic,
      faults,
      processes,
      ...definition
    } = define(parameters);
    const correct = Object.entries(controllers).map(([name, one]) => [name, { ...one, bug: 'none' }] as const);
    const system = defineNetwork({
      waiting: waiting(parameters),
      ...passing(parameters),
      ...definition,
      processes: { ...storesOf(stores, parameters), ...processes },
      controllers: controllersOf(parameters.bug ? controllers : Object.fromEntries(correct), parameters),
      ...(parameters.live ? {} : asIfLive(parameters)),
      ...(parameters.script
        ? { traffic: script, ...(scriptTriggers && { triggers: scriptTriggers }) }
        : { rounds: parameters.rounds, ...(traffic && { traffic }), ...(faults && { faults }) }),
    });
    if (!parameters.script || scriptLoses === undefined) return system;
    return defineSystem({ ...system.define({}), faultRates: { losses: (message) => (scriptLoses(message) ? 1 : 0) } });
  });
}
