import {
  amount,
  byName,
  callback,
  checked,
  count,
  field,
  flag,
  object,
  text,
  type Field,
} from '../../kernel/options/fields.ts';
import { BadSystem } from '../../system/check-definition.ts';
import { wordsOf } from './command-line.ts';
import type { Connector } from './connector.ts';
import { Reactions } from './process/reactions.ts';
import type { Ready } from './process/readiness.ts';
import { insideField, insideSettings, type InsideOptions, type InsideSettings } from './inside/inside-options.ts';

/** The lines that a program has printed lately. */
export interface Printed {
  /** On standard output. */
  readonly out: readonly string[];
  /** On standard error. */
  readonly err: readonly string[];
}

/** How a program takes part in a system. */
export interface CommandOptions<V extends object> {
  /** The port at which it listens, on an address of its own: `$port`. */
  readonly port?: number;
  /** How messages reach it: `stdio()` or `tcp(…)`. Without it, the program is only observed. */
  readonly connect?: Connector;
  /** Further variables of its environment. It has PATH, and folders of its own for HOME and the like. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder it starts in; by default its own, `$dir`, so that what it saves ends with the execution. */
  readonly cwd?: string;
  /** When it is ready; by default when its port accepts, or at once if it has none. */
  readonly ready?: Ready;
  /** How long it may take to get ready. */
  readonly readyMs?: number;
  /** The signal that stops it, and how long it may take to end: then it is killed. */
  readonly stopSignal?: NodeJS.Signals;
  /** How long it may take to end after that signal; then it is killed. */
  readonly stopMs?: number;
  /** Whether it may end by itself. By default that is a violation. */
  readonly mayExit?: boolean;
  /** How many times as fast its clock runs: what waits takes less time. Needs Linux and libfaketime. */
  readonly speed?: number;
  /** What culprit sees and decides inside it: its time, random numbers, timers and log statements. By default nothing. */
  readonly inside?: InsideOptions;
  /** What invariants, stories and traces see of it: plain data, from the lines it has printed. */
  readonly view?: (printed: Printed) => V;
}

/** The same, with every default. */
export interface CommandSettings {
  readonly words: readonly string[];
  readonly port: number | undefined;
  readonly connect: Connector | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly ready: Ready | undefined;
  readonly readyMs: number;
  readonly stopSignal: NodeJS.Signals;
  readonly stopMs: number;
  readonly mayExit: boolean;
  readonly speed: number | undefined;
  readonly inside: InsideSettings | undefined;
  readonly view: (printed: Printed) => object;
  readonly reactions: Reactions;
}

const READY_MS = 10_000;
const STOP_MS = 5_000;

const isReady = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (('port' in value && value.port === true) ||
    ('log' in value && value.log instanceof RegExp) ||
    ('probe' in value && typeof value.probe === 'function'));

const optionsField: Field = object<CommandOptions<object>>('an object with options', {
  port: field(
    'a port from 1 to 65535',
    (value) => Number.isInteger(value) && (value as number) > 0 && (value as number) < 65_536,
  ),
  connect: field('stdio() or tcp(…)', (value) => typeof value === 'object' && value !== null && 'join' in value),
  env: byName('an object with texts', text),
  cwd: text,
  ready: field('{ port: true }, { log: /…/ } or { probe: async () => … }', isReady),
  readyMs: amount,
  stopSignal: text,
  stopMs: count(0),
  mayExit: flag,
  speed: field('a number from 1 to 1000', (value) => typeof value === 'number' && value >= 1 && value <= 1_000),
  inside: insideField,
  view: callback,
});

/** The options of a command with every default. Throws one sentence about the first mistake. */
export function settingsOf<V extends object>(
  line: string | readonly string[],
  options: CommandOptions<V>,
): CommandSettings {
  const words = checkedWords(line);
  checked(options, optionsField, { who: `command(${words[0]})`, noun: 'option', error: BadSystem });
  const { port, ready = port === undefined ? undefined : { port: true } } = options;
  if (ready !== undefined && 'port' in ready && port === undefined)
    throw new BadSystem('command is ready when its port accepts, but has no port.', 'Give `port`, or another `ready`.');
  checkSockets(options);
  checkCheckpoints(options);
  return {
    port,
    connect: undefined,
    env: {},
    cwd: undefined,
    readyMs: READY_MS,
    stopSignal: 'SIGTERM',
    stopMs: STOP_MS,
    mayExit: false,
    speed: undefined,
    view: () => ({}),
    ...options,
    words,
    ready,
    inside: options.inside && insideSettings(options.inside),
    // The socket inside a program is direct, too.
    reactions: new Reactions(options.connect?.isDirect ?? options.inside !== undefined),
  };
}

function checkSockets({ inside, connect }: CommandOptions<object>): void {
  if (inside?.sockets !== true || (connect?.multiplexes === true && inside.shim !== 'node')) return;
  throw new BadSystem(
    '`inside: { sockets: true }` is for controllers, and the shim for Node does not have it.',
    'Leave out `sockets`.',
  );
}

function checkCheckpoints({ inside }: CommandOptions<object>): void {
  if (inside?.checkpoints !== true || (inside.sockets === true && inside.shim === 'python')) return;
  throw new BadSystem(
    '`inside: { checkpoints: true }` is for controllers in Python whose channels come through one socket.',
    "Write `inside: { shim: 'python', sockets: true, checkpoints: true }`, or leave out `checkpoints`.",
  );
}

function checkedWords(line: string | readonly string[]): readonly string[] {
  const words: unknown = typeof line === 'string' ? wordsOf(line) : line;
  if (Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string')) return words;
  throw new BadSystem(
    'command takes a command line that is not empty.',
    "Give a text such as 'python3 node.py', or a list of words.",
  );
}
