import { behavior } from 'culprit';
import { COORDINATOR, type Message } from './messages.ts';

export interface Client {
  /** The column that it writes, or nothing: it reads, is done, or has crashed. */
  writes: string | null;
  /** The newest column that a quorum is said to have. */
  acknowledged: string | null;
  /** What its read returned. */
  result: string[] | null;
}

/** Writes one column after the other, and reads the newest when all are acknowledged. After a crash it does nothing. */
export const clientWriting = (columns: readonly string[]) =>
  behavior<Client, Message>({
    start(ctx) {
      const [first = null] = ctx.restarts === 0 ? columns : [];
      if (first !== null) ctx.send(COORDINATOR, { type: 'write', column: first });
      return { writes: first, acknowledged: null, result: null };
    },
    receive(client, message, ctx) {
      if (message.type === 'result' && client.acknowledged !== null) client.result = message.columns;
      if (message.type !== 'written' || message.column !== client.writes) return;
      client.acknowledged = message.column;
      client.writes = columns[columns.indexOf(message.column) + 1] ?? null;
      ctx.send(COORDINATOR, client.writes === null ? { type: 'read' } : { type: 'write', column: client.writes });
    },
  });
