import * as v from 'valibot';

const xid = v.number();

const request = v.object({ type: v.literal('request'), xid, name: v.picklist(['time', 'random']) });

const state = { name: v.literal('state'), value: v.string(), args: v.optional(v.array(v.unknown()), []) };

const timer = { name: v.literal('timer'), timer: v.string(), every: v.optional(v.boolean(), false) };

const socket = { type: v.literal('async'), socket: v.number() };

const checkpoint = { type: v.literal('async'), checkpoint: v.number() };

const lines = v.union([
  request,
  v.object({ ...checkpoint, name: v.literal('snapshot'), refused: v.optional(v.string()) }),
  v.object({ ...checkpoint, name: v.picklist(['checkpoint', 'proceeded']), pid: v.number() }),
  v.object({ ...socket, name: v.literal('data'), data: v.string() }),
  v.object({ ...socket, name: v.picklist(['closed', 'refused']) }),
  v.object({ type: v.literal('async'), ...state }),
  v.object({ type: v.literal('sync'), xid, ...state }),
  v.object({ type: v.literal('async'), ...timer, ms: v.nullable(v.pipe(v.number(), v.minValue(0))) }),
  v.object({ type: v.literal('sync'), xid, ...timer, ms: v.pipe(v.number(), v.minValue(0)) }),
]);

/** A line that a program writes to its socket. A line with an `xid` is answered by `{ xid, value }`. */
export type SyncLine = v.InferOutput<typeof lines>;

/** The line as data; undefined if it is none of the protocol. */
export function syncLine(text: string): SyncLine | undefined {
  try {
    const { success, output } = v.safeParse(lines, JSON.parse(text));
    return success ? output : undefined;
  } catch {
    return undefined;
  }
}
