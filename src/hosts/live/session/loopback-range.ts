import { createServer, type Server } from 'node:net';

/** Claims are made by listening here: a port that no server of a system is likely to use. */
const CLAIM = { lastBytes: '255.254', port: 27_127 };

/** 127.0 is left to everybody else. */
const RANGES = 254;

/**
 * The loopback addresses 127.k.*.* of one session. Linux answers on all of them, so every program gets an address of its own and
 * keeps its usual port: nothing is allocated, and sessions side by side do not collide.
 */
export class LoopbackRange {
  private constructor(
    private readonly k: number,
    private readonly claim: Server,
  ) {}

  /** Claims the first range that no other session has, on the whole machine: listening succeeds once. */
  static async claim(): Promise<LoopbackRange> {
    let problem: unknown;
    for (let k = 1; k <= RANGES; k++) {
      const claim = createServer((socket) => socket.destroy());
      try {
        await listening(claim, `127.${k}.${CLAIM.lastBytes}`);
        claim.unref();
        return new LoopbackRange(k, claim);
      } catch (error) {
        problem = error;
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') break;
      }
    }
    throw problem;
  }

  /** Where the program of this number listens. */
  ownAddress(number: number): string {
    return this.address(0, number);
  }

  /** Where other programs find it: there a proxy listens. */
  announcedAddress(number: number): string {
    return this.address(1, number);
  }

  /** Programs beyond the 250th continue in other blocks. */
  private address(kind: 0 | 1, number: number): string {
    const index = number - 1;
    return `127.${this.k}.${kind + 2 * Math.floor(index / 250)}.${(index % 250) + 1}`;
  }

  release(): Promise<void> {
    return new Promise((resolve) => {
      this.claim.close(() => resolve());
    });
  }
}

const listening = (server: Server, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: CLAIM.port, exclusive: true }, resolve);
  });
