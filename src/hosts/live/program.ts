import { mkdirSync, rmSync } from 'node:fs';
import type { LifeEnding } from '../../kernel/behavior.ts';
import { UnaskedExit } from '../../kernel/errors.ts';
import type { Exit } from '../../kernel/uncontrolled/inbox.ts';
import type { Io } from '../../kernel/uncontrolled/io.ts';
import { filledIn } from './command-line.ts';
import type { Connection, Place } from './connector.ts';
import { BadPlaceholder, CannotStart, EndedAtOnce, PortTaken } from './errors.ts';
import type { CommandSettings, Printed } from './command-options.ts';
import { Child } from './process/child.ts';
import { placeOf } from './place.ts';
import { hasProc } from './process/proc.ts';
import { isServed, untilReady } from './process/readiness.ts';
import { LiveSession, MARK } from './session/live-session.ts';

/** The lines of each stream that a view may look at. */
const LINES_KEPT = 200;

/** The lines of a program that a trace keeps: one that floods its output must not fill the memory. */
const LINES_OBSERVED = 10_000;

/** How long a program that cannot be watched is left alone after it got a message. */
export const SETTLE_MS = 20;

/** Variables that name folders of a user. */
const FOLDERS = 'HOME TMPDIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR'.split(' ');

/** One life of a program, as a process of a system. */
export class Program {
  private child: Child | undefined;
  private readonly printed: { readonly [S in keyof Printed]: string[] } = { out: [], err: [] };
  private observed = 0;

  private constructor(
    private readonly io: Io,
    readonly place: Place,
    private readonly settings: CommandSettings,
    private readonly connection: Connection | undefined,
  ) {}

  /** Starts the program, and waits until it is ready. Nothing of it is left if it does not get ready. */
  static async start(io: Io, settings: CommandSettings): Promise<Program> {
    const session = io.shared(LiveSession.open);
    const place = await placeOf(io, session, settings.port);
    const program = new Program(io, place, settings, await settings.connect?.join({ io, place }));
    try {
      await program.run(session);
      return program;
    } catch (error) {
      await program.close('over');
      const isMistake = settings.connect?.mustGetReady === true && io.restarts === 0 && error instanceof UnaskedExit;
      throw isMistake
        ? new EndedAtOnce(
            settings.words.map((word) => program.filled(word)),
            error,
          )
        : error;
    }
  }

  private async run(session: LiveSession): Promise<void> {
    const { place, settings, io } = this;
    if (place.own !== undefined && (await isServed(place.own)))
      throw new PortTaken(place.name, place.own.address, place.own.port);
    this.child = await this.started(session, session.markOf(place.number, io.restarts));
    await this.connection?.started?.(this.child);
    const { child, printed } = this;
    const hasPrinted = (pattern: RegExp): boolean =>
      [...printed.out, ...printed.err].some((line) => pattern.test(line));
    await untilReady(
      { name: place.name, child, own: place.own, dir: place.dir, hasPrinted },
      settings.ready,
      settings.readyMs,
    );
    await settings.reactions.examine(child);
    if (hasProc) child.descendants.now();
    await this.reacted();
  }

  private async started(session: LiveSession, mark: string): Promise<Child> {
    const { place, settings } = this;
    const words = settings.words.map((word) => this.filled(word));
    const [file = '', ...args] = words;
    if (this.io.isWiped) rmSync(place.dir, { recursive: true, force: true });
    mkdirSync(place.dir, { recursive: true });
    const cwd = settings.cwd === undefined ? place.dir : this.filled(settings.cwd);
    const options = { file, args, cwd, env: this.environment(mark), mark: `${MARK}=${mark}`, folder: session.folder };
    const line = (text: string, stream: 'stdout' | 'stderr'): void => this.takeLine(text, stream);
    try {
      return await Child.start(options, {
        line,
        exit: (how) => this.exited(how),
        expect: (what) => session.expect(what),
        found: (pid, startTime) => session.watch(pid, startTime),
      });
    } catch (error) {
      throw new CannotStart(place.name, words, cwd, error);
    }
  }

  /** Folders of the user are out of reach: what a program keeps lies in its own folder. */
  private environment(mark: string): Record<string, string> {
    const given = Object.entries(this.settings.env).map(([name, value]): [string, string] => [
      name,
      this.filled(value),
    ]);
    const folders = FOLDERS.map((name): [string, string] => [name, this.place.dir]);
    const usual: [string, string][] = [
      ['PATH', process.env['PATH'] ?? ''],
      ['LANG', 'C.UTF-8'],
    ];
    return Object.fromEntries([...usual, ...folders, ...given, [MARK, mark]]);
  }

  private filled(text: string): string {
    return filledIn(text, (what, of) => this.valueOf(what, of));
  }

  /** The value of a placeholder; undefined for a text that is none. */
  private valueOf(what: string, of: string | undefined): string | undefined {
    const { place } = this;
    // After the name or the folder, a point is a part of the text.
    if (what === 'dir' || what === 'name') return `${place[what]}${of === undefined ? '' : `.${of}`}`;
    if (what !== 'address' && what !== 'port') return undefined;
    const endpoint = of === undefined ? place.own : place.announced(of);
    if (endpoint === undefined) throw this.noEndpoint(what, of);
    return String(endpoint[what]);
  }

  private noEndpoint(what: string, of: string | undefined): BadPlaceholder {
    const { name } = this.place;
    if (of === undefined) return new BadPlaceholder(name, `$${what}`, `${name} has no port`);
    const why = this.io.declared.has(of) ? `${of} has no port` : `no process is called ${of}`;
    return new BadPlaceholder(name, `$${what}.${of}`, why);
  }

  private takeLine(line: string, stream: 'stdout' | 'stderr'): void {
    if (stream === 'stdout' && this.connection?.takeLine?.(line) === true) return;
    const kept = stream === 'stdout' ? this.printed.out : this.printed.err;
    kept.push(line);
    if (kept.length > LINES_KEPT) kept.shift();
    this.observed += 1;
    if (this.observed < LINES_OBSERVED) this.io.observe(stream, line);
    if (this.observed === LINES_OBSERVED) this.io.observe(stream, 'more lines follow, which are not kept');
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

  private async reacted(): Promise<void> {
    const { child, settings } = this;
    if (child === undefined || child.hasExited || settings.connect === undefined) return;
    await settings.reactions.over(child, () => this.io.clock.wait(SETTLE_MS, () => undefined));
  }

  /** Stops all its threads, or lets them continue. */
  setPaused(isPaused: boolean): void {
    this.child?.signal(isPaused ? 'SIGSTOP' : 'SIGCONT');
  }

  view(): object {
    return this.settings.view(this.printed);
  }

  async close(ending: LifeEnding): Promise<void> {
    const { child, settings } = this;
    if (child !== undefined && ending === 'stopped') await child.stop(settings.stopSignal, settings.stopMs);
    else await child?.kill();
    await this.connection?.close();
  }
}
