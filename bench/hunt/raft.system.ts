import { defineSystem, send } from 'culprit';
import { nodeNames, raftNode, type Message } from '../raft-like.ts';

/** Five nodes in virtual time, with some commands to agree on: they run until the limit on events. */
export default defineSystem({
  processes: Object.fromEntries(nodeNames.map((name) => [name, raftNode])),
  timers: { skewMs: 50 },
  workload: Array.from({ length: 20 }, (_, at) =>
    send<Message>(nodeNames[at % nodeNames.length] as string, { type: 'command', command: `set x ${at}` }),
  ),
});
