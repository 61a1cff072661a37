import { readdir, readFile, readlink } from 'node:fs/promises';

/** The two ends of a connection, as the side that accepted it sees them. */
export interface SocketEnds {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Programs with the processes of the operating system that belong to them. */
export type Candidates = readonly (readonly [name: string, pids: () => readonly number[]])[];

/**
 * Finds the program at the other end of a connection on this machine: Linux lists the sockets of all connections with a number, and
 * the open files of a process have these numbers. Undefined if none of the candidates has the socket.
 */
export async function connectingProcess(ends: SocketEnds, candidates: Candidates): Promise<string | undefined> {
  const inode = await inodeOf(ends);
  if (inode === undefined) return undefined;
  for (const [name, pids] of candidates)
    for (const pid of pids()) if (await hasOpen(pid, `socket:[${inode}]`)) return name;
  return undefined;
}

/** The number of the socket whose own end is our remote end. Programs that use IPv6 sockets for IPv4 are in a table of their own. */
async function inodeOf(ends: SocketEnds): Promise<string | undefined> {
  const own = endpointHex(ends.remoteAddress, ends.remotePort);
  const other = endpointHex(ends.localAddress, ends.localPort);
  for (const [file, prefix] of TABLES) {
    const table = await readFile(file, 'latin1').catch(() => '');
    for (const row of table.split('\n')) {
      // Number, own end, other end, state, queues, timer, retransmits, user, timeout, socket.
      const fields = row.trim().split(/\s+/);
      if (fields[1] === prefix + own && fields[2] === prefix + other && fields[9] !== '0') return fields[9];
    }
  }
  return undefined;
}

const TABLES = [
  ['/proc/net/tcp', ''],
  ['/proc/net/tcp6', '0000000000000000FFFF0000'],
] as const;

/** As in the table: the bytes of the address from the last to the first. */
function endpointHex(address: string, port: number): string {
  const bytes = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number);
  return `${hex(bytes.toReversed())}:${hex([port >> 8, port & 0xff])}`;
}

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex').toUpperCase();

/** Whether the process has this file open. It may end at any moment: then it has none. */
async function hasOpen(pid: number, file: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return files.includes(file);
}
