import { textOf } from '../error.ts';
import type { Deliver } from '../trace/event.ts';
import type { AskOptions, ClientNotes, Context, Disk, SendOptions } from './behavior.ts';
import { copyAgain } from './data/copy.ts';
import { shownAnswer } from './user-code/answer.ts';
import { handedOver } from './user-code/examine.ts';
import type { LiveWorld } from './live-world.ts';
import type { Handler, Operation } from './operation.ts';
import type { Process } from './process.ts';
import type { Random } from './data/random.ts';
import type { Said } from './recording.ts';
import { BadDelay, BadLane, BadName, NotCalling, OutsideEvent } from './errors.ts';
import { askFor, request, send, spawn } from './requests.ts';
import { cancelTimer, clockOf, setTimer } from './timers.ts';

/** The context of one handler call. Each event has its own, so that `from` stays true in a handler that was suspended. */
export class HandlerContext implements Context<unknown>, Handler {
  // Declared, so that each is set once: other fields are first defined by a function that V8 calls at every event.
  declare running: boolean;
  declare private readonly world: LiveWorld;
  declare private readonly process: Process;
  declare readonly from: string;
  /** The message being handled, if the event is one. */
  declare private readonly handled: Deliver | undefined;

  constructor(world: LiveWorld, process: Process, from: string, handled?: Deliver) {
    this.running = true;
    this.world = world;
    this.process = process;
    this.from = from;
    this.handled = handled;
  }

  get lane(): string | undefined {
    return this.handled?.lane;
  }

  get self(): string {
    return this.process.name;
  }

  get peers(): readonly string[] {
    return this.process.peersAmong(this.world.declaration.processes);
  }

  get step(): number {
    this.world.clockRead = true;
    return this.process.step;
  }

  get nowMs(): number {
    this.world.clockRead = true;
    return clockOf(this.world, this.process);
  }

  get restarts(): number {
    return this.process.restarts;
  }

  get random(): Random {
    return this.during('random').randomOf(this.world.seed);
  }

  get disk(): Disk {
    return new HandlerDisk(this.world, this.during('disk'), this);
  }

  get history(): ClientNotes {
    return new HandlerHistory(this.world, this.during('history'));
  }

  send(to: string, message: unknown, options?: SendOptions): void {
    const process = this.during('send');
    if (options === undefined) send(this.world, process, to, message, 0, 0);
    else send(this.world, process, to, message, 0, 0, this.laneIn(options));
  }

  ask(to: string, message: unknown, options?: number | AskOptions): Operation {
    const process = this.during('ask');
    const { timeoutMs, ...how } = isOptions(options) ? options : { timeoutMs: options };
    const lane = this.laneIn(how);
    const limitMs = timeoutMs === undefined ? undefined : this.delay('ask', timeoutMs, 0);
    return process.handle(askFor(this.world, process, to, message, limitMs, lane), this);
  }

  reply(message: unknown): void {
    const process = this.during('reply');
    send(this.world, process, this.from, message, 0, this.handled?.ask ?? 0, this.handled?.lane);
  }

  setTimer(timer: string, afterMs: number): void {
    const process = this.during('setTimer');
    setTimer(this.world, process, this.name('a timer', timer), this.delay('setTimer', afterMs, 0), 0);
  }

  repeatTimer(timer: string, everyMs: number): void {
    const process = this.during('repeatTimer');
    const firstMs = this.delay('repeatTimer', everyMs, Number.MIN_VALUE);
    setTimer(this.world, process, this.name('a timer', timer), firstMs, everyMs);
  }

  cancelTimer(timer: string): void {
    cancelTimer(this.world, this.during('cancelTimer'), timer);
  }

  sleep(ms: number): Operation<void> {
    const process = this.during('sleep');
    const afterMs = this.delay('sleep', ms, 0);
    return process.handle(request(this.world, process, 'sleep', { afterMs }), this) as Operation<void>;
  }

  spawn(kind: string, args?: unknown): string {
    const process = this.during('spawn');
    return spawn(this.world, process, this.name('a kind', kind), args);
  }

  log(text: string): void {
    this.world.recording.log(this.during('log').name, typeof text === 'string' ? text : textOf(text));
  }

  private delay(what: string, ms: number, least: number): number {
    if (typeof ms === 'number' && ms >= least && ms < Infinity) return ms;
    throw new BadDelay(this.process.name, what, ms);
  }

  /** A name, provided that it is a text: anything else would get lost in a trace. */
  name(what: string, name: string): string {
    if (typeof name === 'string') return name;
    throw new BadName(this.process.name, this.world.length, what, name);
  }

  /** The lane, provided that it is one: anything else would send the message on the default lane. */
  protected laneIn(options: SendOptions): string | undefined {
    const lane: unknown = isSendOptions(options) ? options.lane : undefined;
    if (isSendOptions(options) && (lane === undefined || (typeof lane === 'string' && lane !== ''))) return lane;
    throw new BadLane(this.process.name, this.world.length, shownAnswer(options));
  }

  /** The process, provided that it is handling an event now. */
  private during(what: string): Process {
    if (this.world.running !== this.process) throw new OutsideEvent(this.process.name, `used ${inBoth(what)}`);
    return this.process;
  }
}

/** What a class calls by another name. */
const IN_CLASSES: Readonly<Record<string, string>> = {
  disk: 'storage',
  setTimer: 'setTimeout',
  repeatTimer: 'setInterval',
  cancelTimer: 'clearTimeout',
};

/** The name of a part of the context, and that of the same part of `io` where it differs. */
const inBoth = (what: string): string =>
  IN_CLASSES[what] === undefined ? `ctx.${what}` : `ctx.${what} (in a class: io.${IN_CLASSES[what]})`;

const isOptions = (given: unknown): given is object => typeof given === 'object' && given !== null;

const isSendOptions = (given: unknown): given is SendOptions =>
  isOptions(given) && Object.keys(given).every((key) => key === 'lane');

class HandlerHistory implements ClientNotes {
  constructor(
    private readonly world: LiveWorld,
    private readonly process: Process,
  ) {}

  call(input: unknown, key?: string): number {
    const call = ++this.process.calls;
    this.process.ownCalling().push(call);
    this.note(call, { kind: 'call', key, input: handedOver(this.world, this.process, input, 'the input') });
    return call;
  }

  return(call: number, output?: unknown): void {
    this.end(call);
    this.note(call, { kind: 'return', output: handedOver(this.world, this.process, output, 'the output') });
  }

  fail(call: number): void {
    this.end(call);
    this.note(call, { kind: 'fail' });
  }

  private end(call: number): void {
    const { name, calling } = this.process;
    const at = calling.indexOf(call);
    if (at < 0) throw new NotCalling(name, call, calling);
    this.process.ownCalling().splice(at, 1);
  }

  private note(call: number, what: Said): void {
    this.world.recording.note(this.process.name, call, what);
  }
}

class HandlerDisk implements Disk {
  constructor(
    private readonly world: LiveWorld,
    private readonly process: Process,
    private readonly requester: HandlerContext,
  ) {}

  write(key: string, value: unknown): Operation<void> {
    this.requester.name('a key', key);
    const kept = handedOver(this.world, this.process, value, 'the disk value ', key);
    const number = request(this.world, this.process, 'write', { key, value: kept });
    return this.process.handle(number, this.requester) as Operation<void>;
  }

  read(key: string): Operation {
    this.requester.name('a key', key);
    return this.process.handle(request(this.world, this.process, 'read', { key }), this.requester);
  }

  peek(key: string): unknown {
    return copyAgain(this.process.disk.get(key));
  }
}
