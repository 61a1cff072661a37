import type { ControllerIo } from '../base/app.ts';

/** The longer of two handlers takes up to this time. */
const RACE_MS = 5;
/** So often the first handler is the faster one. */
const FIRST_WINS = 0.9;

/** Two handlers of one packet, in threads of their own: which of them is done first is a matter of milliseconds. */
export class Threads {
  constructor(
    private readonly io: Pick<ControllerIo, 'random' | 'setTimeout'>,
    /** Milliseconds of this machine are so many of the controller's clock. */
    private readonly pace: number,
  ) {}

  race(first: () => void, second: () => void): void {
    const [firstMs, secondMs] = [RACE_MS * this.io.random(), RACE_MS * FIRST_WINS];
    const [sooner, later] = firstMs < secondMs ? [first, second] : [second, first];
    const finish = (): void => later();
    const begin = (): void => {
      sooner();
      this.io.setTimeout(finish, Math.abs(firstMs - secondMs) * this.pace);
    };
    this.io.setTimeout(begin, Math.min(firstMs, secondMs) * this.pace);
  }
}
