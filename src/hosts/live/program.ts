import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import type { LifeEnding, StateCheckpoint } from '../../kernel/behavior.ts';
import { UnaskedExit } from '../../kernel/errors.ts';
import type { Exit } from '../../kernel/uncontrolled/inbox.ts';
import type { Io } from '../../kernel/uncontrolled/io.ts';
import type { Connection, LiveProgram, Place } from './connector.ts';
import { CannotStart, EndedAtOnce, PortTaken } from './errors.ts';
import type { CommandSettings, Printed } from './command-options.ts';
import { Child } from './process/child.ts';
import { fasterClock, forgetClock } from './process/faster-clock.ts';
import { Inside, type InsideCheckpoint } from './inside/inside.ts';
import { insideEnvironment } from './inside/shims.ts';
import { placeOf } from './place.ts';
import { sendSignal, stopProcess } from './process/kill-tree.ts';
import { hasProc } from './process/proc.ts';
import { ProgramNotes } from './program-notes.ts';
import { isFreeSoon, untilReady, type Ready } from './process/readiness.ts';
import { LiveSession, MARK } from './session/live-session.ts';
import { Surroundings } from './surroundings.ts';

/** The lines of each stream that a view may look at. */
const LINES_KEPT = 200;

/** How long a program that cannot be watched is left alone after it got a message. */
export const SETTLE_MS = 20;

/** The lines that a program has printed lately, to be added to. */
type PrintedLines = { readonly [S in keyof Printed]: string[] };

/** What belongs to a checkpoint of a program, besides the fork. */
interface ProgramThen {
  readonly notes: ProgramNotes;
  readonly printed: PrintedLines;
  readonly inside: InsideCheckpoint;
  readonly connect: (copy: LiveProgram) => Connection;
}

/** How long the end of a copy is awaited that was killed. */
const KILL_MS = 5_000;

/** One life of a program, as a process of a system: the program itself, or a copy that proceeds from a checkpoint. */
export class Program {
  private child: Child | undefined;

  private constructor(
    private readonly io: Io,
    readonly place: Place,
    private readonly settings: CommandSettings,
    private readonly notes: ProgramNotes,
    private readonly inside: Inside | undefined,
    private readonly connection: Connection | undefined,
    private readonly printed: PrintedLines = { out: [], err: [] },
    /** Which one runs, of the program and its copies: they share their standard streams, and end together. */
    private readonly family: { runs?: Program; hasCheckpoints: boolean } = { hasCheckpoints: false },
  ) {
    family.runs = this;
  }

  /** Starts the program, and waits until it is ready. Nothing of it is left if it does not get ready. */
  static async start(io: Io, settings: CommandSettings): Promise<Program> {
    const session = io.shared(LiveSession.open);
    const place = await placeOf(io, session, settings.port);
    const notes = new ProgramNotes(io);
    const inside = settings.inside && (await Inside.open({ io, place }, settings.inside, session.folder, notes));
    const program = new Program(io, place, settings, notes, inside, await joined({ io, place }, settings, inside));
    try {
      await program.run(session);
      return program;
    } catch (error) {
      await program.close('over');
      const isMistake = settings.connect?.mustGetReady === true && io.restarts === 0 && error instanceof UnaskedExit;
      throw isMistake ? new EndedAtOnce(program.around.words(settings.words), error) : error;
    }
  }

  private async run(session: LiveSession): Promise<void> {
    const { place, settings, io } = this;
    if (place.own !== undefined && !(await isFreeSoon(place.own)))
      throw new PortTaken(place.name, place.own.address, place.own.port);
    this.child = await this.started(session, session.markOf(place.number, io.restarts));
    this.inside?.started(this.child);
    await this.connection?.started?.(this.child);
    const { child, printed } = this;
    const hasPrinted = (pattern: RegExp): boolean =>
      [...printed.out, ...printed.err].some((line) => pattern.test(line));
    await untilReady(
      { name: place.name, child, own: place.own, dir: place.dir, hasPrinted },
      settings.ready ?? this.readyByConnection(),
      settings.readyMs,
    );
    await this.inside?.ready(settings.readyMs);
    await settings.reactions.examine(child);
    if (hasProc) child.descendants.now();
    await this.reacted();
  }

  private readyByConnection(): Ready | undefined {
    const isReady = this.connection?.isReady?.bind(this.connection);
    return isReady && { probe: isReady };
  }

  /** What its command finds around it. */
  private get around(): Surroundings {
    return new Surroundings(this.io, this.place, this.inside?.path);
  }

  private async started(session: LiveSession, mark: string): Promise<Child> {
    const { place, settings, around } = this;
    const words = around.words(settings.words);
    const [file = '', ...args] = words;
    if (this.io.isWiped) rmSync(place.dir, { recursive: true, force: true });
    mkdirSync(place.dir, { recursive: true });
    const cwd = settings.cwd === undefined ? place.dir : around.filled(settings.cwd);
    const env = this.atSpeed({ name: place.name, file, cwd, env: this.environment(mark) });
    // What it says through its socket is read by the event loop.
    const speaksInStreams = settings.connect?.inStreams === true && this.inside === undefined;
    const options = { file, args, cwd, env, mark: `${MARK}=${mark}`, folder: session.folder, speaksInStreams };
    try {
      return await Child.start(options, {
        line: (text, stream) => this.family.runs?.takeLine(text, stream),
        exit: (how) => this.family.runs?.exited(how),
        expect: (what) => session.expect(what),
        found: (pid, startTime) => session.watch(pid, startTime),
      });
    } catch (error) {
      throw new CannotStart(place.name, words, cwd, error);
    }
  }

  private environment(mark: string): Readonly<Record<string, string>> {
    const { settings, inside, around } = this;
    const env = around.environment(settings.env, mark);
    if (inside === undefined || settings.inside === undefined) return env;
    return insideEnvironment(env, inside.path, settings.inside, settings.connect?.inStreams === true);
  }

  /** The environment of a program, in which its clock runs at the speed that is asked for. */
  private atSpeed(program: Parameters<typeof fasterClock>[0]): Readonly<Record<string, string>> {
    const { speed } = this.settings;
    return speed === undefined ? program.env : fasterClock(program, speed, this.io.clock.nowMs);
  }

  private takeLine(line: string, stream: 'stdout' | 'stderr'): void {
    if (stream === 'stdout' && this.connection?.takeLine?.(line) === true) return;
    const kept = stream === 'stdout' ? this.printed.out : this.printed.err;
    kept.push(line);
    if (kept.length > LINES_KEPT) kept.shift();
    this.notes.add(stream, line);
  }

  private exited(how: Exit): void {
    if (this.settings.mayExit) this.io.observe('exit', { ...how });
    else this.io.exited(how);
  }

  /** Hands a message over, and waits until the program has finished its reaction, as far as that can be known. */
  async deliver(message: unknown, from: string, lane: string | undefined): Promise<void> {
    await this.connection?.deliver(message, from, lane);
    await this.reacted();
  }

  /** Fires a timer of the program, and waits in the same way. */
  async fire(timer: string): Promise<void> {
    this.inside?.fire(timer);
    await this.reacted();
  }

  private async reacted(): Promise<void> {
    const { child, settings } = this;
    if (child === undefined || child.hasExited || (settings.connect ?? settings.inside) === undefined) return;
    await settings.reactions.over(child, () => this.io.clock.wait(SETTLE_MS, () => undefined));
    await this.connection?.reacted?.();
  }

  /** Stops all its threads, or lets them continue. */
  setPaused(isPaused: boolean): void {
    const signal = isPaused ? 'SIGSTOP' : 'SIGCONT';
    // Checkpoints, and a program that a copy replaces, stay as they are.
    if (!this.family.hasCheckpoints) this.child?.signal(signal);
    else if (this.inside?.pid !== undefined) sendSignal(this.inside.pid, signal);
  }

  /** Makes the program fork a checkpoint of itself; undefined if it cannot. */
  async checkpoint(): Promise<StateCheckpoint<Program> | undefined> {
    const { io, family, child } = this;
    if (child?.hasExited !== false || this.keepsFiles()) return undefined;
    const inside = await this.inside?.checkpoint();
    const connect = this.connection?.checkpoint?.();
    if (connect === undefined) inside?.close();
    if (inside === undefined || connect === undefined) return undefined;
    family.hasCheckpoints = true;
    const then = { notes: this.notes.copyFor(io), printed: copyOf(this.printed), inside, connect };
    return {
      isFresh: () => inside.isFresh(),
      // A process of a host that is not controlled gets its `io` where other processes get their context.
      proceed: (ctx) => this.proceedFrom(then, ctx as unknown as Io, child),
      close: () => inside.close(),
    };
  }

  /** Copies would share the files of its folder. */
  private keepsFiles(): boolean {
    if (readdirSync(this.place.dir).length === 0) return false;
    this.notes.add('no checkpoint', { why: 'it keeps files' });
    return true;
  }

  /** A copy of the program takes the place of the one that runs. */
  private async proceedFrom(then: ProgramThen, io: Io, child: Child): Promise<Program | undefined> {
    const { place, settings, family } = this;
    await family.runs?.retire();
    const notes = then.notes.copyFor(io);
    const inside = then.inside.copyFor(io, notes);
    const connection = then.connect({ io, place, multiplexer: inside });
    const copy = new Program(io, place, settings, notes, inside, connection, copyOf(then.printed), family);
    copy.child = child;
    if (!(await then.inside.proceed(inside))) return undefined;
    inside.onEnd(() => {
      if (family.runs === copy) copy.exited({ lastLines: child.lastLines });
    });
    child.descendants.now();
    await copy.reacted();
    return copy;
  }

  /** A copy takes its place: it does nothing any more. The program itself is not killed, because its end is that of all. */
  private async retire(): Promise<void> {
    const { child, inside } = this;
    const pid = inside?.pid;
    if (child === undefined || child.hasExited || pid === undefined) return;
    delete this.family.runs;
    inside?.leave();
    await (pid === child.pid ? stopProcess(pid) : inside?.end('SIGKILL', KILL_MS));
    await child.readOutput();
  }

  view(): object {
    return { ...this.connection?.view?.(), ...this.settings.view(this.printed) };
  }

  async close(ending: LifeEnding): Promise<void> {
    const { child, settings } = this;
    if (child !== undefined && ending === 'stopped') await this.stop(child);
    else await child?.kill();
    if (child !== undefined && settings.speed !== undefined) forgetClock(child.pid);
    await this.inside?.close();
    await this.connection?.close();
  }

  private async stop(child: Child): Promise<void> {
    const { inside, settings } = this;
    if (inside?.pid === child.pid || inside === undefined) await child.stop(settings.stopSignal, settings.stopMs);
    else {
      delete this.family.runs;
      await inside.end(settings.stopSignal, settings.stopMs);
      await child.kill();
    }
  }
}

const copyOf = ({ out, err }: PrintedLines): PrintedLines => ({ out: [...out], err: [...err] });

/** Its connector joins it. If that fails, its socket is closed: it has no program yet. */
async function joined(
  program: LiveProgram,
  { connect }: CommandSettings,
  inside: Inside | undefined,
): Promise<Connection | undefined> {
  try {
    return await connect?.join({ ...program, multiplexer: inside });
  } catch (error) {
    await inside?.close();
    throw error;
  }
}
