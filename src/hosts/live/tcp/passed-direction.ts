import type { Socket } from 'node:net';

/** Bytes on their way, or the end of the stream, and when they arrive. */
interface OnTheWay {
  readonly atMs: number;
  readonly chunk: Buffer | undefined;
}

/** One direction of a connection whose bytes pass unseen. They wait while the link is cut, and arrive later on a slow link. */
export class PassedDirection {
  private readonly onTheWay: OnTheWay[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isCut = false;
  private hasStopped = false;
  /** Bytes were lost: the stream has a gap, and cannot continue after a cut. */
  hasLost = false;

  constructor(
    private readonly source: Socket,
    private readonly target: Socket,
    private readonly delayMs: number,
    private readonly onCut: 'hold' | 'lose' | 'reset',
    /** Called when a cut stops bytes, once for each cut. */
    private readonly onStopped: () => void,
  ) {
    source.on('data', (chunk) => this.take(chunk));
    source.on('end', () => this.take(undefined));
    target.on('drain', () => this.flow());
    target.on('close', () => clearTimeout(this.timer));
  }

  set cut(isCut: boolean) {
    if (isCut === this.isCut) return;
    this.isCut = isCut;
    this.hasStopped = false;
    if (isCut && this.onTheWay.length > 0) this.stop();
    this.flow();
    this.arrive();
  }

  /** Bytes meet a cut. */
  private stop(): void {
    if (!this.hasStopped) this.onStopped();
    this.hasStopped = true;
    if (this.onCut !== 'lose') return;
    this.hasLost = true;
    this.onTheWay.length = 0;
  }

  /** The sender notices a cut only by what does not come back: after the first ones, its bytes wait where TCP keeps them. */
  private flow(): void {
    const isStopped = (this.isCut && this.onTheWay.length > 0) || this.target.writableNeedDrain;
    if (isStopped) this.source.pause();
    else if (this.source.isPaused()) this.source.resume();
  }

  private take(chunk: Buffer | undefined): void {
    if (this.delayMs === 0 && !this.isCut) return this.write(chunk);
    this.onTheWay.push({ atMs: performance.now() + this.delayMs, chunk });
    if (this.isCut) this.stop();
    this.flow();
    this.arrive();
  }

  /** Writes what has arrived by now, and comes back for the rest. */
  private arrive(): void {
    clearTimeout(this.timer);
    if (this.isCut) return;
    while (this.onTheWay.length > 0) {
      const [{ atMs, chunk } = { atMs: 0, chunk: undefined }] = this.onTheWay;
      const leftMs = atMs - performance.now();
      if (leftMs > 0) {
        this.timer = setTimeout(() => this.arrive(), leftMs);
        return;
      }
      this.onTheWay.shift();
      this.write(chunk);
    }
  }

  private write(chunk: Buffer | undefined): void {
    if (!this.target.writable) return;
    if (chunk === undefined) this.target.end();
    else if (!this.target.write(chunk)) this.flow();
  }
}
