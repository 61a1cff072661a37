import type { SyncLine } from './protocol.ts';
import type { SyncConnection } from './sync-socket.ts';

/** How long a program may take to fork. */
const FORK_MS = 10_000;

/** What culprit awaits: the program answers, a checkpoint is there, a copy proceeds. */
type Stage = 'snapshot' | 'checkpoint' | 'proceeded';

/** A line that is about a checkpoint. */
type ForkLine = SyncLine & { readonly name: Stage };

type Take<T> = (line: ForkLine, connection: SyncConnection) => T;

/** The forks of one life of a program: checkpoints, and copies that proceed from them. All of them connect to the socket of the program. */
export class ProgramForks {
  private readonly awaited = new Map<string, { readonly take: Take<void>; readonly giveUp: () => void }>();
  private count = 0;

  /**
   * Makes the program at this connection fork a checkpoint; undefined if it cannot now. `answered` is called in the moment of its answer,
   * with the reason if it refuses.
   */
  async checkpoint(
    program: SyncConnection,
    answered: (refused: string | undefined) => void,
  ): Promise<ProgramFork | undefined> {
    const number = ++this.count;
    const waiting = this.until('checkpoint', number, (_, connection) => new ProgramFork(this, number, connection));
    program.say({ name: 'snapshot', checkpoint: number });
    const hasForked = await this.until('snapshot', number, (line) => {
      const refused = 'refused' in line ? line.refused : undefined;
      answered(refused);
      return refused === undefined;
    });
    if (hasForked !== true) this.awaited.get(keyOf('checkpoint', number))?.giveUp();
    return await waiting;
  }

  /** A process that was forked says what it is. */
  take(line: ForkLine, connection: SyncConnection): void {
    const found = this.awaited.get(keyOf(line.name, line.checkpoint));
    if (found !== undefined) found.take(line, connection);
    // A fork that comes too late ends with its connection.
    else if (line.name !== 'snapshot') connection.close();
  }

  /** What `take` makes of the line in the moment in which it comes; undefined if it does not come in time. */
  until<T>(stage: Stage, checkpoint: number, take: Take<T>): Promise<T | undefined> {
    const key = keyOf(stage, checkpoint);
    return new Promise((resolve) => {
      const over = (result: T | undefined): void => {
        clearTimeout(late);
        this.awaited.delete(key);
        resolve(result);
      };
      const late = setTimeout(over, FORK_MS, undefined);
      this.awaited.set(key, { take: (...line) => over(take(...line)), giveUp: () => over(undefined) });
    });
  }

  close(): void {
    for (const { giveUp } of this.awaited.values()) giveUp();
  }
}

const keyOf = (stage: Stage, checkpoint: number): string => `${stage} ${checkpoint}`;

/** A checkpoint: a fork that waits. It ends with its connection. */
export class ProgramFork {
  constructor(
    private readonly forks: ProgramForks,
    private readonly number: number,
    private readonly connection: SyncConnection,
  ) {}

  /** Makes it fork a copy of the program, which `take` gets in the moment in which it connects; false if it cannot. */
  async proceed(take: (connection: SyncConnection, pid: number) => void): Promise<boolean> {
    if (!this.connection.isOpen) return false;
    const proceeded = this.forks.until('proceeded', this.number, (line, connection) => {
      if ('pid' in line) take(connection, line.pid);
      return true;
    });
    this.connection.say({ name: 'proceed' });
    return (await proceeded) === true;
  }

  close(): void {
    this.connection.close();
  }
}
