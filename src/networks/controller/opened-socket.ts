import { connect, type Socket } from 'node:net';
import { CulpritError } from '../../error.ts';
import type { Endpoint } from '../../hosts/live/connector.ts';
import { areDescriptorsScarce, descriptorLimit, isNoDescriptor } from './descriptors.ts';

/** How long a controller may take to accept a connection: one that is paused has a queue for them, which may be full. */
const ACCEPT_MS = 2_000;

/** A connection to a controller, from an address of the switch; undefined if the controller accepts none. */
export const openedSocket = (
  { address, port }: Endpoint,
  localAddress: string | undefined,
  channel: string,
): Promise<Socket | undefined> =>
  new Promise((resolve, reject) => {
    // Before the last one is taken: without any, something else would fail first.
    if (areDescriptorsScarce()) return reject(new NoDescriptor(channel));
    const socket = connect({
      host: address,
      port,
      noDelay: true,
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    const timer = setTimeout(() => socket.destroy(), ACCEPT_MS);
    const failed = (error: NodeJS.ErrnoException): void => {
      if (isNoDescriptor(error)) reject(new NoDescriptor(channel));
    };
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', failed);
      resolve(socket);
    });
    socket.once('error', failed);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });

/** Every channel of a switch takes a file descriptor, and the operating system limits them. */
class NoDescriptor extends CulpritError {
  readonly code = 'NO_DESCRIPTOR';

  constructor(channel: string) {
    super(
      `the channel of ${channel} cannot be opened: ${descriptorLimit} open files are allowed, and the last ones are needed elsewhere. Each channel takes one here and one in its controller.`,
      'Raise the limit in your shell: ulimit -n 65536. If the hard limit is lower (ulimit -Hn), the administrator has to raise it.',
    );
  }
}
