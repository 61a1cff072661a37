import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Io } from '../../../kernel/uncontrolled/io.ts';
import type { LiveProgram } from '../connector.ts';
import type { Child } from '../process/child.ts';
import { BadSyncLine, NoShim, NoSyncSocket } from './errors.ts';
import type { InsideSettings } from './inside-options.ts';
import { ProgramTimers } from './program-timers.ts';
import { syncLine, type SyncLine } from './protocol.ts';
import { SyncSocket } from './sync-socket.ts';

/** The time that programs read when a session begins, in milliseconds since 1970: the same in all executions. */
const EPOCH_MS = 1_000_000_000_000;

/** A program does not wait at a barrier for longer: a replay may not have the event that lets it continue. */
const BARRIER_MS = 1_000;

const LOOK_EVERY_MS = 10;

type Answer = (content: object) => void;

/** A part of culprit inside a program, for one life of it: answers what the program asks through its socket, and makes events of its timers. */
export class Inside {
  private readonly timers: ProgramTimers;
  private readonly barriers = new Set<NodeJS.Timeout>();
  private isReady = false;
  private child: Child | undefined;

  private constructor(
    private readonly io: Io,
    private readonly settings: InsideSettings,
    private readonly note: (what: string, content: unknown) => void,
    /** Set when it listens, before the program starts. */
    private socket: SyncSocket | undefined,
  ) {
    this.timers = new ProgramTimers(io);
  }

  /** Listens in that folder. `note` adds a note to the trace. */
  static async open(
    { io, place }: LiveProgram,
    settings: InsideSettings,
    folder: string,
    note: (what: string, content: unknown) => void,
  ): Promise<Inside> {
    const inside = new Inside(io, settings, note, undefined);
    const path = join(folder, `${place.number}-${io.restarts}.sync`);
    try {
      inside.socket = await SyncSocket.listen(path, (line, answer) => inside.take(line, answer));
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
    while (shim !== undefined && this.socket?.hasConnected !== true && this.child?.hasExited !== true) {
      if (performance.now() >= untilMs) throw new NoShim(this.io.self, shim, limitMs);
      await delay(LOOK_EVERY_MS);
    }
    this.isReady = true;
    this.timers.ready();
  }

  /** A timer of the program fires. */
  fire(timer: string): void {
    this.timers.fire(timer);
  }

  private take(text: string, answer: Answer): void {
    // What the program says here may be followed by more that it does.
    if (this.child !== undefined) this.child.outputs += 1;
    const line = syncLine(text);
    if (line === undefined) return this.io.failed(new BadSyncLine(this.io.self, text));
    switch (line.name) {
      case 'time':
        return answer({ xid: line.xid, value: EPOCH_MS + this.io.timeMs() });
      case 'random':
        return answer({ xid: line.xid, value: this.io.random.float() });
      case 'state':
        return this.takeState(line, answer);
      case 'timer':
        return this.takeTimer(line, answer);
    }
  }

  private takeState(line: SyncLine & { name: 'state' }, answer: Answer): void {
    this.note('state', { message: line.value, args: line.args });
    if (line.type === 'async') return;
    const { xid } = line;
    if (!this.isReady) return answer({ xid });
    const name = this.timers.unusedName(`log: ${line.value}`);
    const late = setTimeout(() => {
      this.barriers.delete(late);
      this.timers.cancel(name);
      this.note('passed a barrier', { message: line.value, afterMs: BARRIER_MS });
      answer({ xid });
    }, BARRIER_MS);
    this.barriers.add(late);
    this.timers.set(name, 0, false, () => {
      clearTimeout(late);
      this.barriers.delete(late);
      answer({ xid });
    });
  }

  private takeTimer(line: SyncLine & { name: 'timer' }, answer: Answer): void {
    const { timer, ms, every } = line;
    if (line.type === 'sync') {
      const { xid } = line;
      return this.timers.set(this.timers.unusedName(timer), line.ms, false, () => answer({ xid }));
    }
    if (ms === null) return this.timers.cancel(timer);
    this.timers.set(timer, ms, every, () => answer({ name: 'timer', timer }));
  }

  async close(): Promise<void> {
    for (const late of this.barriers) clearTimeout(late);
    this.timers.close();
    await this.socket?.close();
  }
}
