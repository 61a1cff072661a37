import { readFile } from 'node:fs/promises';
import type { Endpoint } from '../connector.ts';

/** A TCP socket of this machine, as Linux lists it. */
interface SocketRow {
  /** Its own end and the other one, in the form of the table: `hexOf`. */
  readonly own: string;
  readonly other: string;
  readonly isListening: boolean;
  /** The number by which the open files of a process name it; 0 if no process has it open. */
  readonly inode: string;
}

/** The tables, and how an IPv4 address begins in each: programs that use IPv6 sockets for IPv4 are in a table of their own. */
const TABLES = [
  ['/proc/net/tcp', ''],
  ['/proc/net/tcp6', '0000000000000000FFFF0000'],
] as const;

/** What Linux writes for a socket that listens. */
const LISTENING = '0A';

const EVERY_ADDRESS = ['00000000', '0'.repeat(32)];

/** The first socket that fits; undefined if there is none. */
export async function findSocket(fits: (socket: SocketRow) => boolean): Promise<SocketRow | undefined> {
  for (const [file, prefix] of TABLES) {
    const table = await readFile(file, 'latin1').catch(() => '');
    for (const row of table.split('\n')) {
      const socket = socketIn(row, prefix);
      if (socket !== undefined && fits(socket)) return socket;
    }
  }
  return undefined;
}

/** A row has: number, own end, other end, state, queues, timer, retransmits, user, timeout, socket. */
function socketIn(row: string, prefix: string): SocketRow | undefined {
  const [, own, other, state, , , , , , inode] = row.trim().split(/\s+/);
  if (own === undefined || other === undefined || inode === undefined) return undefined;
  const withoutPrefix = (end: string): string =>
    prefix !== '' && end.startsWith(prefix) ? end.slice(prefix.length) : end;
  return { own: withoutPrefix(own), other: withoutPrefix(other), isListening: state === LISTENING, inode };
}

/** An end as in the table: the bytes of the address from the last to the first. */
export function hexOf({ address, port }: Endpoint): string {
  const bytes = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number);
  return `${hex(bytes.toReversed())}:${portHex(port)}`;
}

const portHex = (port: number): string => hex([port >> 8, port & 0xff]);
const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex').toUpperCase();

/** Whether some process listens there, or at that port of every address. No connection is made: a program would notice. */
export async function isListening(at: Endpoint): Promise<boolean> {
  const ends = new Set([hexOf(at), ...EVERY_ADDRESS.map((address) => `${address}:${portHex(at.port)}`)]);
  return (await findSocket(({ own, isListening: listens }) => listens && ends.has(own))) !== undefined;
}
