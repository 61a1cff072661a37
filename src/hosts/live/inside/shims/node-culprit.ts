import { once } from 'node:events';
import { stderr } from 'node:process';
import { Worker } from 'node:worker_threads';
import type { Answer, FromSocket } from './node-socket.ts';

/** Culprit, as the shim of a Node program sees it: at the other end of a socket. */
export class Culprit {
  private xid = 0;

  private constructor(
    private readonly worker: Worker,
    private readonly answer: Answer,
  ) {}

  static async connect(path: string): Promise<Culprit> {
    const answer = {
      isThere: new Int32Array(new SharedArrayBuffer(4)),
      value: new Float64Array(new SharedArrayBuffer(8)),
    };
    const worker = new Worker(new URL('node-socket.js', import.meta.url), { workerData: { path, answer } });
    const [{ failed }] = (await once(worker, 'message')) as [FromSocket];
    if (failed !== undefined) {
      stderr.write(`The shim of culprit cannot reach its socket: ${failed}. Leave CULPRIT_SYNC as culprit sets it.\n`);
      process.exit(2);
    }
    worker.unref();
    return new Culprit(worker, answer);
  }

  /** Writes a line that has no answer. */
  tell(line: object): void {
    this.worker.postMessage({ type: 'async', ...line });
  }

  /** Writes a line, and waits for the answer. */
  ask(line: object): number {
    const { isThere, value } = this.answer;
    this.xid += 1;
    Atomics.store(isThere, 0, 0);
    this.worker.postMessage({ type: 'request', xid: this.xid, ...line });
    Atomics.wait(isThere, 0, 0);
    return value[0] ?? 0;
  }

  onTimer(fire: (timer: string) => void): void {
    this.worker.on('message', ({ timer }: FromSocket) => timer !== undefined && fire(timer));
    this.worker.unref();
  }

  /** Whether the program runs on for what culprit may say. */
  set isAwaited(isAwaited: boolean) {
    if (isAwaited) this.worker.ref();
    else this.worker.unref();
  }
}
