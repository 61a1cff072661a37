import { connect } from 'node:net';
import type { Endpoint } from '../../hosts/live/connector.ts';
import { BRIDGE } from './ovs-script.ts';

/** A controller that a switch connects to. */
export interface OvsController extends Endpoint {
  /** 0 for never. */
  readonly echoMs: number;
}

/**
 * Gives a switch these controllers instead of those that it has, by its database at this socket. It connects at once, and closes its
 * channels to others. A switch that is gone takes none.
 */
export const setControllers = (path: string, controllers: readonly OvsController[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ path });
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    socket.on('data', (answer) => {
      const { result } = JSON.parse(answer.toString()) as { readonly result: readonly object[] };
      const failed = result.find((one) => 'error' in one);
      if (failed !== undefined) reject(new Error(`Open vSwitch takes no controller: ${JSON.stringify(failed)}`));
      socket.destroy();
    });
    socket.write(JSON.stringify({ id: 0, method: 'transact', params: ['Open_vSwitch', ...operations(controllers)] }));
  });

const operations = (controllers: readonly OvsController[]): object[] => [
  ...controllers.map(({ address, port, echoMs }, at) => ({
    op: 'insert',
    table: 'Controller',
    'uuid-name': `c${at}`,
    row: {
      target: `tcp:${address}:${port}`,
      inactivity_probe: echoMs,
      // In band, it would look for controllers behind its own ports, with flow entries that it does not show.
      connection_mode: 'out-of-band',
    },
  })),
  {
    op: 'update',
    table: 'Bridge',
    where: [['name', '==', BRIDGE]],
    row: { controller: ['set', controllers.map((_, at) => ['named-uuid', `c${at}`])] },
  },
];
