import { Console } from 'node:console';

/** Text that is longer ends there, and says so. */
const LENGTH_MAX = 4_096;

/** An event that prints more often than that prints no more, and says so: a loop would fill the memory. */
const LINES_MAX = 1_000;

/** All of them are given, so that neither the terminal nor `inspect.defaultOptions` decides. An object takes one line, as in a story. */
const inspectOptions = {
  depth: 4,
  colors: false,
  showHidden: false,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10_000,
  breakLength: Number.POSITIVE_INFINITY,
  compact: 16,
  sorted: false,
  getters: false,
  numericSeparator: false,
};

/** The methods of a console that print, or decide how others do. */
export const consoleMethods = [
  'assert',
  'count',
  'countReset',
  'debug',
  'dir',
  'dirxml',
  'error',
  'group',
  'groupCollapsed',
  'groupEnd',
  'info',
  'log',
  'table',
  'time',
  'timeEnd',
  'timeLog',
  'trace',
  'warn',
] as const;

export type ConsoleMethod = (typeof consoleMethods)[number];

/**
 * A console for one event: prints what Node's would, to a function. Counts and indentation start over with every event, as they are
 * in no state. The text is the same in every execution and on every machine: without colors, stack frames and measured times.
 */
export class EventConsole {
  /** Its own, from the first count or group on. */
  private own: Console | undefined;
  private lines = 0;

  constructor(
    /** The index of the event. */
    readonly event: number,
    private readonly keep: (text: string) => void,
  ) {}

  print(method: ConsoleMethod, args: readonly unknown[]): void {
    if (method === 'time') return;
    if (remembering.has(method)) this.own ??= consoleFor((text) => this.write(text));
    write = (text) => this.write(text);
    const console = this.own ?? shared;
    if (method === 'timeEnd' || method === 'timeLog') {
      const [label = 'default', ...data] = args;
      console.log(`${String(label)}: not measured`, ...data);
    } else (console[method] as (...data: readonly unknown[]) => void)(...args);
  }

  /** Text that was written as it is. */
  write(text: string): boolean {
    this.lines += 1;
    if (this.lines <= LINES_MAX) this.keep(bounded(withoutFrames(text.replace(/\n$/, ''))));
    else if (this.lines === LINES_MAX + 1) this.keep(`… and more: only the first ${LINES_MAX} lines are kept`);
    return true;
  }
}

/** The methods after which others print something else. */
const remembering: ReadonlySet<ConsoleMethod> = new Set(['count', 'countReset', 'group', 'groupCollapsed', 'groupEnd']);

const consoleFor = (take: (text: string) => void): Console => {
  const stream = { write: take } as unknown as NodeJS.WritableStream;
  return new Console({ stdout: stream, stderr: stream, ignoreErrors: false, inspectOptions: { ...inspectOptions } });
};

/** Making a console takes ten times as long as printing: all events that need none of their own share this one. */
const shared = consoleFor((text) => write(text));
let write: (text: string) => void = () => {};

const bounded = (text: string): string =>
  text.length <= LENGTH_MAX ? text : `${text.slice(0, LENGTH_MAX)}… (${text.length} characters in all)`;

/**
 * Stack frames say where code lies on this machine, and who called it: that differs between a search, a replay and a test. What is
 * shown of an error is its message and its fields.
 */
const withoutFrames = (text: string): string => text.replaceAll(FRAME, '');

const FRAME =
  /\n +(?:at (?:[^\n]*\()?(?:[^\n()]*:\d+(?::\d+)?|<anonymous>|native|index \d+)\)?|\.{3} \d+ lines matching cause stack trace \.{3})(?= \{|\n|$)/g;
