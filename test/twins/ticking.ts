import type { AnyBehavior } from 'culprit/kernel';
import { FakeClock, Random, type Host, type Io } from 'culprit/kernel';

type SendOptions = Parameters<Io['send']>[2];

/** What a black box can do. */
export interface Box {
  /** What was observed last, by name. */
  readonly seen: Readonly<Record<string, unknown>>;
  readonly self: string;
  /** How often its process has started in this session. */
  readonly lives: number;
  /** Differs from session to session. */
  readonly dice: Random;
  send(to: string, message: unknown, options?: SendOptions): void;
  /** Answers the message that it gets, at once. */
  reply(message: unknown): void;
  observe(what: string, content: unknown): void;
  exit(code: number): void;
  /** Lets something happen by itself after so many milliseconds of the fake clock. */
  after(ms: number, happen: () => void): void;
  /** Sets a timer that fires as an event, or moves it; null cancels it. */
  setTimer(timer: string, ms: number | null): void;
  /** The time that it gets if it asks. */
  timeMs(): number;
}

/** The code of a black box: what it does when it starts, and when it gets a message. */
export interface Program {
  start?(box: Box): void;
  receive?(box: Box, message: unknown, from: string): void;
  timer?(box: Box, timer: string): void;
  /** What can be seen of it. */
  view?(box: Box): object;
}

export const tickingHost: Host = {
  name: 'ticking',
  repeatable: false,
  controlled: false,
  clock: () => new FakeClock(),
};

class TickingBox implements Box {
  isOver = false;
  /** While it handles a message. */
  answer: ((message: unknown) => void) | undefined;
  readonly seen: Record<string, unknown> = {};

  constructor(
    private readonly io: Io,
    readonly dice: Random,
  ) {}

  get self(): string {
    return this.io.self;
  }

  get lives(): number {
    return this.io.restarts + 1;
  }

  send(to: string, message: unknown, options?: SendOptions): void {
    if (!this.isOver) this.io.send(to, message, options);
  }

  reply(message: unknown): void {
    this.answer?.(message);
  }

  observe(what: string, content: unknown): void {
    if (this.isOver) return;
    this.seen[what] = content;
    this.io.observe(what, content);
  }

  exit(code: number): void {
    if (this.isOver) return;
    this.isOver = true;
    this.io.exited({ code });
  }

  after(ms: number, happen: () => void): void {
    (this.io.clock as FakeClock).after(ms, () => {
      if (!this.isOver) happen();
    });
  }

  setTimer(timer: string, ms: number | null): void {
    if (ms === null) this.io.cancelTimer(timer);
    else this.io.setTimer(timer, ms);
  }

  timeMs(): number {
    return this.io.timeMs();
  }
}

/** A black box in memory, on a fake clock: events appear by themselves, some late, some never, some different the next time. */
export function ticking(program: Program): AnyBehavior {
  let lives = 0;
  return {
    host: tickingHost,
    start(ctx) {
      const box = new TickingBox(ctx as unknown as Io, Random.seeded(++lives, 1));
      program.start?.(box);
      return box;
    },
    receive(box, message, ctx) {
      const self = box as TickingBox;
      self.answer = (answer) => ctx.reply(answer);
      program.receive?.(self, message, ctx.from);
      self.answer = undefined;
    },
    timer: (box, timer) => program.timer?.(box as TickingBox, timer),
    view: (box) => program.view?.(box as TickingBox) ?? { ...(box as TickingBox).seen },
    close: (box) => {
      (box as TickingBox).isOver = true;
    },
  };
}
