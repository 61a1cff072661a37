import type { Note } from './recording.ts';

/** An operation of a client, as handlers noted it with `ctx.history`. */
export interface ClientOperation {
  /** The client. */
  readonly process: string;
  /** The object that it concerns, if there are several. */
  readonly key?: string;
  /** What was called. */
  readonly input: unknown;
  /** What it returned. */
  readonly output?: unknown;
  /** Place of the call among all calls and returns; places count from 1. */
  readonly called: number;
  /** The same of the return; missing if it has not returned. */
  readonly returned?: number;
}

/** The operations among the notes, in the order of their calls. A failed operation had no effect, and is left out. */
export function clientOperations(notes: readonly Note[]): ClientOperation[] {
  const operations = new Map<string, ClientOperation>();
  let place = 0;
  for (const note of notes) {
    if (note.kind !== 'call' && note.kind !== 'return' && note.kind !== 'fail') continue;
    const { process, call } = note;
    const id = `${call} ${process}`;
    place += 1;
    if (note.kind === 'call') {
      const { key, input } = note;
      operations.set(id, { process, ...(key === undefined ? {} : { key }), input, called: place });
    } else if (note.kind === 'fail') operations.delete(id);
    else {
      const { output } = note;
      // The context lets nothing return that was not called.
      const called = operations.get(id) as ClientOperation;
      operations.set(id, { ...called, ...(output === undefined ? {} : { output }), returned: place });
    }
  }
  return [...operations.values()];
}
