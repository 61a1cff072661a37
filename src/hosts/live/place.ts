import { join } from 'node:path';
import type { Io } from '../../kernel/uncontrolled/io.ts';
import { isLive, type Endpoint, type Place } from './connector.ts';
import { NotOnThisSystem } from './errors.ts';
import type { LoopbackRange } from './session/loopback-range.ts';
import type { LiveSession } from './session/live-session.ts';

/** Where a process is, and where it finds the others: at their proxies, unless it is to find the programs themselves. */
export async function placeOf(
  io: Io,
  session: LiveSession,
  ownPort: number | undefined,
  isDirect = false,
): Promise<Place> {
  const { self: name, declared } = io;
  const numbers = new Map([...declared.keys()].map((of, index) => [of, index + 1]));
  const numberOf = (of: string): number => numbers.get(of) ?? session.numberOfJoined(of, numbers.size);
  const number = numberOf(name);
  const place = { name, number, dir: folderOf(session, name) };
  const isAnywhere = ownPort !== undefined || [...declared.keys()].some((other) => portOf(io, other) !== undefined);
  if (!isAnywhere) return { ...place, own: undefined, announced: () => undefined, addressOf: () => undefined };
  if (process.platform !== 'linux') throw new NotOnThisSystem(name, 'an address of its own');
  const range = await session.range();
  return {
    ...place,
    own: ownPort === undefined ? undefined : { address: range.ownAddress(number), port: ownPort },
    announced: (other) => announced(io, range, other, numberOf(other), isDirect),
    addressOf: (other) => range.ownAddress(numberOf(other)),
  };
}

/** Where others find a process: at its proxy, if its connector has one. */
function announced(
  io: Io,
  range: LoopbackRange,
  name: string,
  number: number,
  isDirect: boolean,
): Endpoint | undefined {
  const port = portOf(io, name);
  if (port === undefined) return undefined;
  const host = io.declared.get(name);
  const hasProxy = !isDirect && isLive(host) && host.connector?.announces === true;
  return { address: hasProxy ? range.announcedAddress(number) : range.ownAddress(number), port };
}

function portOf({ declared }: Io, name: string): number | undefined {
  const host = declared.get(name);
  return isLive(host) ? host.port : undefined;
}

/** Names of processes are any text, and names of folders are not. */
const folderOf = (session: LiveSession, name: string): string =>
  join(
    session.folder,
    name.replaceAll(/[^\w-]/g, (sign) => `%${sign.codePointAt(0)?.toString(16)}`),
  );
