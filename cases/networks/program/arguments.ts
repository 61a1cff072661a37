import { parseArgs } from 'node:util';
import type { AppOptions } from '../base/app.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** What the command line of a controller says. */
export interface Arguments extends AppOptions {
  readonly app: string;
  readonly self: string;
  /** Where switches connect to. */
  readonly listen: Endpoint | undefined;
  /** Where peers connect to. */
  readonly listenPeers: Endpoint | undefined;
  /** The peers that it connects to by itself, by name. */
  readonly connects: Readonly<Record<string, Endpoint>>;
}

const text = { type: 'string' } as const;

/** Arguments that are for some apps only. */
const ofApps = {
  max: text,
  keepalive: text,
  seed: text,
  id: text,
  servers: text,
  threads: text,
  buffered: text,
} as const;

function endpointIn(given: string): Endpoint {
  const [host = '', port = ''] = given.split(':');
  return { host, port: Number(port) };
}

/** `--peer c2=127.0.0.1:7000`. */
function peerIn(given: string): [string, Endpoint] {
  const at = given.indexOf('=');
  return [given.slice(0, at), endpointIn(given.slice(at + 1))];
}

export function argumentsIn(line: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...line],
    options: {
      app: text,
      bug: text,
      self: text,
      pace: text,
      sync: text,
      listen: text,
      'listen-peers': text,
      peer: { type: 'string', multiple: true },
      ...ofApps,
    },
  });
  const { app = '', bug = 'none', self = 'c1', pace = '1', listen, peer = [] } = values;
  const connects = Object.fromEntries(peer.map(peerIn));
  const given = Object.entries(values).filter(([name]) => Object.hasOwn(ofApps, name)) as [string, string][];
  return {
    app,
    bug,
    self,
    pace: Number(pace),
    given: Object.fromEntries(given),
    peers: Object.keys(connects),
    listen: listen === undefined ? undefined : endpointIn(listen),
    listenPeers: values['listen-peers'] === undefined ? undefined : endpointIn(values['listen-peers']),
    connects,
  };
}
