import type { AnyBehavior } from 'culprit/kernel';

/** An access to a variable. A swap succeeds if the variable is still 0. */
type Access =
  | { readonly read: string }
  | { readonly write: string; readonly value: number }
  | { readonly swap: string; readonly value: number };

/** A thread of a shared-memory program: yields accesses, and receives the read value, or 1 if a swap succeeded. */
type Program = () => Generator<Access, void, number>;

/**
 * Each variable is a process that answers, and each thread one that asks: a thread has at most one access under way, so
 * the only choices are the orders in which each variable is accessed.
 */
function sharedMemory(programs: readonly Program[], variables: readonly string[]): Record<string, AnyBehavior> {
  const threads = programs.map((program, at) => [`thread ${at}`, thread(program)] as const);
  return Object.fromEntries([...variables.map((name) => [name, variable] as const), ...threads]);
}

/** Whether the order of the two is irrelevant, as neither of them changes anything. */
export const isRead = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'read' in message;

const variable: AnyBehavior = {
  start: () => ({ value: 0 }),
  receive(state, message, ctx) {
    const memory = state as { value: number };
    const access = message as Access;
    const { value } = memory;
    if ('write' in access || ('swap' in access && value === 0)) memory.value = access.value;
    ctx.reply('swap' in access ? Number(value === 0) : value);
  },
};

/**
 * States are plain data and generators are not: the read values are kept, and the program is run again from the start.
 */
function thread(program: Program): AnyBehavior {
  const next = (read: readonly number[]): Access | undefined => {
    const run = program();
    let step = run.next();
    for (const value of read) step = run.next(value);
    return step.done === true ? undefined : step.value;
  };
  const nameOf = (access: Access): string =>
    'read' in access ? access.read : 'write' in access ? access.write : access.swap;
  return {
    start(ctx) {
      const access = next([]);
      if (access !== undefined) ctx.send(nameOf(access), access);
      return { read: [] };
    },
    receive(state, value, ctx) {
      const { read } = state as { read: number[] };
      read.push(value as number);
      const access = next(read);
      if (access !== undefined) ctx.send(nameOf(access), access);
    },
  };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** One writes, the others read. */
export function readers(count: number): Record<string, AnyBehavior> {
  const write: Program = function* () {
    yield { write: 'x', value: 1 };
  };
  const read: Program = function* () {
    yield { read: 'x' };
  };
  return sharedMemory([write, ...upTo(count).map(() => read)], ['x']);
}

/** Each thread makes its cell one more than the cell before, and one thread searches for the last cell that is 0. */
export function lastZero(count: number): Record<string, AnyBehavior> {
  const look: Program = function* () {
    for (let at = count; (yield { read: `cell ${at}` }) !== 0;) at -= 1;
  };
  const increase = (at: number): Program =>
    function* () {
      yield { write: `cell ${at}`, value: (yield { read: `cell ${at - 1}` }) + 1 };
    };
  return sharedMemory(
    [look, ...upTo(count).map((at) => increase(at + 1))],
    upTo(count + 1).map((at) => `cell ${at}`),
  );
}

const SLOTS = 128;
const MESSAGES = 4;

/** Threads put four messages each into a hash table, where few of them collide. */
export function indexer(count: number): Record<string, AnyBehavior> {
  const put = (id: number): Program =>
    function* () {
      for (let message = 1; message <= MESSAGES; message++) {
        const word = message * 11 + id;
        for (let slot = (word * 7) % SLOTS; (yield { swap: `slot ${slot}`, value: word }) === 0;)
          slot = (slot + 1) % SLOTS;
      }
    };
  // Only slots that some thread may reach: a world has a place for each pair of processes.
  const first = upTo(count).flatMap((id) => upTo(MESSAGES).map((message) => (((message + 1) * 11 + id) * 7) % SLOTS));
  const next = first.filter((slot, at) => first.indexOf(slot) < at).map((slot) => (slot + 1) % SLOTS);
  return sharedMemory(
    upTo(count).map(put),
    [...new Set([...first, ...next])].map((slot) => `slot ${slot}`),
  );
}

const INODES = 32;
const BLOCKS = 26;

/**
 * Each thread searches for a free block. Accesses under the lock of a block, or of an inode, are one access here: that
 * is what the lock is for.
 */
export function fileSystem(count: number): Record<string, AnyBehavior> {
  const allocate = (id: number): Program =>
    function* () {
      const inode = id % INODES;
      if ((yield { read: `inode ${inode}` }) !== 0) return;
      let block = (inode * 2) % BLOCKS;
      while ((yield { swap: `block ${block}`, value: 1 }) === 0) block = (block + 1) % BLOCKS;
      yield { write: `inode ${inode}`, value: block + 1 };
    };
  const variables = [...upTo(INODES).map((at) => `inode ${at}`), ...upTo(BLOCKS).map((at) => `block ${at}`)];
  return sharedMemory(upTo(count).map(allocate), variables);
}
