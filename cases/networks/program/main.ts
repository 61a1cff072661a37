import { writeSync } from 'node:fs';
import type { Message } from 'culprit/networks';
import { apps } from '../apps.ts';
import type { App, Closed, ControllerIo, PeerMessage, Received } from '../base/app.ts';
import { paced } from '../base/paced.ts';
import { argumentsIn, type Arguments } from './arguments.ts';
import { PeerSockets } from './peer-sockets.ts';
import { SwitchSockets } from './switch-sockets.ts';

/** An exception ends a controller with its message and without its stack, which would differ from place to place. */
process.on('uncaughtException', (error) => {
  writeSync(2, `${error.message}\n`);
  process.exit(1);
});

/** The outside world of a controller that is a program. */
function ioOf(self: string, switches: SwitchSockets, peers: PeerSockets): ControllerIo {
  const timer = (timeout: NodeJS.Timeout) => timeout as unknown as ReturnType<ControllerIo['setTimeout']>;
  return {
    self,
    send: (to, message) => {
      if (switches.has(to)) switches.send(to, message as Message | Closed);
      else peers.send(to, message as PeerMessage);
    },
    setTimeout: (callback, ms, ...args) => timer(setTimeout(callback, ms, ...(args as never[]))),
    setInterval: (callback, ms, ...args) => timer(setInterval(callback, ms, ...(args as never[]))),
    clearTimeout: (given) => clearTimeout(given as NodeJS.Timeout),
    clearInterval: (given) => clearInterval(given as NodeJS.Timeout),
    now: () => performance.now(),
    random: () => Math.random(),
    log: (text) => void process.stdout.write(`${text}\n`),
  };
}

function run({ app: name, self, pace, listen, listenPeers, connects, ...rest }: Arguments): void {
  const Made = apps[name];
  if (Made === undefined) throw new Error(`--app: there is no ${name}; there are ${Object.keys(apps).join(', ')}`);
  const take = (message: Received, from: string): void => app.receive(message, from);
  const [switches, peers] = [new SwitchSockets(take), new PeerSockets(self, take)];
  const app: App = new Made(paced(ioOf(self, switches, peers), pace), { ...rest, pace });
  if (listenPeers !== undefined) peers.listen(listenPeers);
  for (const [peer, at] of Object.entries(connects)) peers.connect(peer, at);
  if (listen !== undefined) switches.listen(listen);
}

run(argumentsIn(process.argv.slice(2)));
