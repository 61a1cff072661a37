import { alsoFollow, isSystemRunning, isWithinSystem, runningNow } from './async-code.ts';
import { consoleMethods, EventConsole, type ConsoleMethod } from './event-console.ts';
import { globals } from './timed-script.ts';

/**
 * What handlers print is kept with their event, as `ctx.log` is, and appears nowhere else. The functions that print are stood in
 * for while executions run, by a property that asks whose code runs only when something prints: the system's code gets a function that
 * keeps what it is given, everybody else the function that was there.
 */

let shows = 0;

/** Whether the output of systems is also shown as it happens. */
export const isPrintingShown = (): boolean => shows > 0;

/** From here on, the output of systems is shown on standard error as it happens. */
export function showPrinting(): void {
  shows += 1;
}

/** The same, for as long as something takes. */
export async function showingPrinting<T>(isShown: boolean | undefined, run: () => Promise<T>): Promise<T> {
  if (isShown !== true) return await run();
  showPrinting();
  try {
    return await run();
  } finally {
    shows -= 1;
  }
}

type AnyFunction = (...args: never[]) => unknown;
type Holder = Record<string, AnyFunction>;

/** Stands in for one function. Each stand-in is a new object, because other code may put an old one back. */
class StandIn {
  private readonly before: PropertyDescriptor | undefined;
  private original: AnyFunction;
  private isAssigned = false;

  constructor(
    private readonly holder: Holder,
    private readonly key: string,
    /** The function that code of the system gets. */
    private readonly keeping: AnyFunction,
  ) {
    this.before = Object.getOwnPropertyDescriptor(holder, key);
    this.original = holder[key] as AnyFunction;
    const { get, set } = this;
    Reflect.defineProperty(holder, key, { configurable: true, enumerable: this.before?.enumerable ?? true, get, set });
  }

  /** Whether it is installed: test runners replace functions, too. */
  get isThere(): boolean {
    const now = this.holder[this.key];
    return now === this.original || now === this.keeping;
  }

  leave(): void {
    const { holder, key, before } = this;
    if (Object.getOwnPropertyDescriptor(holder, key)?.get !== this.get) return;
    if (this.isAssigned)
      Object.defineProperty(holder, key, {
        configurable: true,
        enumerable: true,
        writable: true,
        value: this.original,
      });
    else if (before === undefined) Reflect.deleteProperty(holder, key);
    else Object.defineProperty(holder, key, before);
  }

  /** Calls the function that was there. */
  readonly real = (...args: unknown[]): unknown => Reflect.apply(this.original, this.holder, args);

  private readonly get = (): AnyFunction => (isSystemRunning() ? this.keeping : this.original);

  private readonly set = (value: AnyFunction): void => {
    this.original = value;
    this.isAssigned = true;
  };
}

interface StreamPlace {
  readonly holder: Holder;
  readonly key: string;
  readonly keeping: AnyFunction;
  standIn: StandIn | undefined;
}

let places: StreamPlace[] = [];
let stderr: StreamPlace | undefined;

/** Call this after code of others may have run, and not at every event: that code may have replaced our functions. */
export function followPrinting(): void {
  if (isWithinSystem() && places.length > 0) return;
  if (places[0]?.holder !== (console as never)) {
    leavePrinting();
    places = placesNow();
    // A handler may end the process: the listeners that hear of it are no part of the system.
    process.prependListener('exit', leavePrinting);
    stderr = places.find(({ holder }) => holder === (process.stderr as never));
  }
  for (const place of places)
    if (place.standIn?.isThere !== true) place.standIn = new StandIn(place.holder, place.key, place.keeping);
}

function leavePrinting(): void {
  for (const { standIn } of places) standIn?.leave();
  process.off('exit', leavePrinting);
  places = [];
}

alsoFollow({ follow: followPrinting, leave: leavePrinting });

const node = globals as unknown as typeof globalThis;

/** Jest gives every test file a console and a process of its own, and Node's are there besides. */
function placesNow(): StreamPlace[] {
  const consoles = new Set([console, node.console] as unknown as Holder[]);
  const streams = new Set(
    [process, node.process].flatMap(({ stdout, stderr: errors }) => [stdout, errors]) as unknown as Holder[],
  );
  return [
    ...[...consoles].flatMap((holder) => consoleMethods.map((key) => placeOf(holder, key, keepingCalls(holder, key)))),
    ...[...streams].map((holder) => placeOf(holder, 'write', keepingWrites(holder))),
  ].filter(({ holder, key }) => typeof holder[key] === 'function');
}

const placeOf = (holder: Holder, key: string, keeping: AnyFunction): StreamPlace => ({
  holder,
  key,
  keeping,
  standIn: undefined,
});

/** The function may have been kept by the system, and be called when it does not run: then it is as any other. */
function keepingCalls(holder: Holder, method: ConsoleMethod): AnyFunction {
  return (...args: unknown[]): void => {
    if (isSystemRunning()) consoleNow()?.print(method, args);
    else holder[method]?.(...(args as never[]));
  };
}

function keepingWrites(holder: Holder): AnyFunction {
  return (chunk: string | Uint8Array, ...rest: unknown[]): unknown => {
    if (!isSystemRunning()) return holder['write']?.(...([chunk, ...rest] as never[]));
    const [encoding] = rest;
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString(encoded(encoding));
    consoleNow()?.write(text);
    const callback = rest.find((given) => typeof given === 'function');
    // The function that knows the process of each callback.
    if (callback !== undefined) node.process.nextTick(callback);
    return true;
  };
}

const encoded = (given: unknown): BufferEncoding =>
  Buffer.isEncoding(given as string) ? (given as BufferEncoding) : 'utf8';

/** For the event under way; for functions that are no handlers, and code of processes that are gone, only what shows it. */
function consoleNow(): EventConsole | undefined {
  const running = runningNow();
  if (running === undefined || running.isOver === true || running.world.running !== running.process)
    return isPrintingShown() ? new EventConsole(-1, show) : undefined;
  const { world, process } = running;
  const event = world.length - 1;
  if (world.printing?.event !== event)
    world.printing = new EventConsole(event, (text) => {
      world.recording.log(process.name, text);
      if (isPrintingShown()) show(`${process.name}, event ${event + 1}: ${text}`);
    });
  return world.printing;
}

const show = (text: string): void => void (stderr?.standIn?.real ?? nothing)(`${text}\n`);
const nothing = (): void => {};
