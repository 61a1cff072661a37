import { readdir, readlink } from 'node:fs/promises';
import { findSocket, hexOf } from '../process/socket-table.ts';

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

/** The number of the socket whose own end is our remote end. */
async function inodeOf(ends: SocketEnds): Promise<string | undefined> {
  const own = hexOf({ address: ends.remoteAddress, port: ends.remotePort });
  const other = hexOf({ address: ends.localAddress, port: ends.localPort });
  const found = await findSocket((socket) => socket.own === own && socket.other === other && socket.inode !== '0');
  return found?.inode;
}

/** Whether the process has this file open. It may end at any moment: then it has none. */
async function hasOpen(pid: number, file: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return files.includes(file);
}
