import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Io } from '../../../kernel/uncontrolled/io.ts';
import type { LiveProgram } from '../connector.ts';
import { within, type Child } from '../process/child.ts';
import { sendSignal } from '../process/kill-tree.ts';
import type { ProgramNotes } from '../program-notes.ts';
import { BadSyncLine, NoShim, NoSyncSocket, NotMultiplexed } from './errors.ts';
import type { InsideSettings } from './inside-options.ts';
import { MultiplexedSockets, type MultiplexedSocket, type Multiplexer } from './multiplexed-socket.ts';
import { ProgramForks, type ProgramFork } from './program-forks.ts';
import { ProgramTimers } from './program-timers.ts';
import { syncLine, type SyncLine } from './protocol.ts';
import { SyncSocket, type SyncConnection } from './sync-socket.ts';

/** The time that programs read when a session begins, in milliseconds since 1970: the same in all executions. */
const EPOCH_MS = 1_000_000_000_000;

/** A program does not wait at a barrier for longer: a replay may not have the event that lets it continue. */
const BARRIER_MS = 1_000;

const LOOK_EVERY_MS = 10;

/** A checkpoint of a program, and what culprit knew of the inside of the program then. */
export interface InsideCheckpoint {
  /** Whether the program has said nothing since. */
  readonly isFresh: () => boolean;
  /** A part of culprit inside a copy of the program, which is not there before `proceed`. */
  copyFor(io: Io, notes: ProgramNotes): Inside;
  /** Makes the checkpoint fork that copy of the program; false if the checkpoint is gone. */
  proceed(inside: Inside): Promise<boolean>;
  close(): void;
}

/** A part of culprit inside a program, for one life of it: answers what the program asks through its socket, and makes events of its timers. */
export class Inside implements Multiplexer {
  private timers: ProgramTimers;
  private sockets = new MultiplexedSockets((content) => this.say(content));
  private readonly barriers = new Set<NodeJS.Timeout>();
  private isReady = false;
  private child: Child | undefined;
  /** Of a copy that proceeds from a checkpoint. */
  private copy: { readonly connection: SyncConnection; readonly pid: number } | undefined;

  private constructor(
    private readonly io: Io,
    private readonly settings: InsideSettings,
    private readonly notes: ProgramNotes,
    /** Set when it listens, before the program starts. */
    private socket: SyncSocket | undefined,
    private readonly forks: ProgramForks,
  ) {
    this.timers = new ProgramTimers(io);
  }

  /** Listens in that folder. */
  static async open(
    { io, place }: LiveProgram,
    settings: InsideSettings,
    folder: string,
    notes: ProgramNotes,
  ): Promise<Inside> {
    const inside = new Inside(io, settings, notes, undefined, new ProgramForks());
    const path = join(folder, `${place.number}-${io.restarts}.sync`);
    try {
      inside.socket = await SyncSocket.listen(path, (line, connection) => inside.take(line, connection));
    } catch (error) {
      throw new NoSyncSocket(place.name, path, error);
    }
    return inside;
  }

  get path(): string {
    return this.socket?.path ?? '';
  }

  started(child: Child): void {
    this.child = child;
  }

  /** The program is ready, if its shim is: from now on its timers and barriers are events. */
  async ready(limitMs: number): Promise<void> {
    const { shim } = this.settings;
    const untilMs = performance.now() + limitMs;
    while (shim !== undefined && this.connection === undefined && this.child?.hasExited !== true) {
      if (performance.now() >= untilMs) throw new NoShim(this.io.self, shim, limitMs);
      await delay(LOOK_EVERY_MS);
    }
    this.isReady = true;
    this.timers.ready();
  }

  /** That of the program, as soon as it has connected. */
  private get connection(): SyncConnection | undefined {
    return this.copy?.connection ?? this.socket?.first;
  }

  private say(content: object): void {
    this.connection?.say(content);
  }

  connect(port: number, from: string | undefined): MultiplexedSocket | undefined {
    return this.settings.sockets ? this.sockets.connect(port, from) : undefined;
  }

  continue(id: number): MultiplexedSocket {
    return this.sockets.continue(id);
  }

  /** The process that runs the program. */
  get pid(): number | undefined {
    return this.copy?.pid ?? this.child?.pid;
  }

  /** Calls back when a copy of the program ends. */
  onEnd(ended: () => void): void {
    this.copy?.connection.onClose(ended);
  }

  /** Ends a copy of the program with a signal, and waits until it is gone, or the time is over. */
  async end(signal: NodeJS.Signals, ms: number): Promise<void> {
    const { copy } = this;
    if (copy === undefined || !copy.connection.isOpen) return;
    const gone = new Promise<void>((resolve) => copy.connection.onClose(resolve));
    sendSignal(copy.pid, signal);
    await within(ms, gone);
  }

  /** Makes the program fork a checkpoint of itself; undefined if it cannot now. */
  async checkpoint(): Promise<InsideCheckpoint | undefined> {
    const { child, connection } = this;
    if (child === undefined || connection === undefined || this.barriers.size > 0) return undefined;
    let outputs = 0;
    const fork = await this.forks.checkpoint(connection, (refused) => {
      outputs = child.outputs;
      if (refused !== undefined) this.notes.add('no checkpoint', { why: refused });
    });
    if (fork === undefined) return undefined;
    const then = this.copyFor(this.io, this.notes);
    return {
      isFresh: () => child.outputs === outputs,
      copyFor: (io, notes) => then.copyFor(io, notes),
      proceed: (inside) => inside.proceedFrom(fork),
      close: () => fork.close(),
    };
  }

  /** The same inside a copy of the program, which has yet to connect. */
  private copyFor(io: Io, notes: ProgramNotes): Inside {
    const { settings, socket, forks } = this;
    const inside = new Inside(io, settings, notes, socket, forks);
    inside.child = this.child;
    inside.isReady = true;
    const say = (content: object): void => inside.say(content);
    inside.timers = this.timers.copyFor(io, say);
    inside.sockets = this.sockets.copyFor(say);
    return inside;
  }

  private proceedFrom(fork: ProgramFork): Promise<boolean> {
    return fork.proceed((connection, pid) => {
      this.copy = { connection, pid };
      connection.take = (line, from) => this.take(line, from);
    });
  }

  /** A timer of the program fires. */
  fire(timer: string): void {
    this.timers.fire(timer);
  }

  private take(text: string, connection: SyncConnection): void {
    const line = syncLine(text);
    if (line !== undefined && 'checkpoint' in line) return this.forks.take(line, connection);
    // What the program says here may be followed by more that it does.
    if (this.child !== undefined) this.child.outputs += 1;
    if (line === undefined) return this.io.failed(new BadSyncLine(this.io.self, text));
    switch (line.name) {
      case 'time':
        return connection.say({ xid: line.xid, value: EPOCH_MS + this.io.timeMs() });
      case 'random':
        return connection.say({ xid: line.xid, value: this.io.random.float() });
      case 'data':
        return this.sockets.take(line.socket, line.data);
      case 'closed':
        return this.sockets.take(line.socket, undefined);
      case 'refused':
        this.io.failed(new NotMultiplexed(this.io.self));
        return this.sockets.take(line.socket, undefined);
      case 'state':
        return this.takeState(line, connection);
      case 'timer':
        return this.takeTimer(line, connection);
    }
  }

  private takeState(line: SyncLine & { name: 'state' }, connection: SyncConnection): void {
    this.notes.add('state', { message: line.value, args: line.args });
    if (line.type === 'async') return;
    const { xid } = line;
    if (!this.isReady) return connection.say({ xid });
    const name = this.timers.unusedName(`log: ${line.value}`);
    const late = setTimeout(() => {
      this.barriers.delete(late);
      this.timers.cancel(name);
      this.notes.add('passed a barrier', { message: line.value, afterMs: BARRIER_MS });
      connection.say({ xid });
    }, BARRIER_MS);
    this.barriers.add(late);
    const say = (content: object): void => {
      clearTimeout(late);
      this.barriers.delete(late);
      connection.say(content);
    };
    this.timers.set(name, 0, false, { line: { xid }, say });
  }

  private takeTimer(line: SyncLine & { name: 'timer' }, connection: SyncConnection): void {
    const { timer, ms, every } = line;
    const say = (content: object): void => connection.say(content);
    if (line.type === 'sync')
      return this.timers.set(this.timers.unusedName(timer), line.ms, false, { line: { xid: line.xid }, say });
    if (ms === null) return this.timers.cancel(timer);
    this.timers.set(timer, ms, every, { line: { name: 'timer', timer }, say });
  }

  /** A copy of the program takes its place. */
  leave(): void {
    for (const late of this.barriers) clearTimeout(late);
  }

  async close(): Promise<void> {
    this.leave();
    this.timers.close();
    this.forks.close();
    this.sockets.close();
    await this.socket?.close();
  }
}
