import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { behavior, defineSystem, send } from 'culprit';
import type { AnyBehavior, Io } from 'culprit/kernel';

interface Message {
  readonly type: string;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** A shell that reads lines and prints lines: a real program, which takes its time. */
const PROGRAM = `
armed=0
while read -r line; do
  case "$line" in
    arm*) armed=$((armed + 1));;
    fire) if [ $armed -ge 2 ]; then sleep 0.02; echo boom; fi;;
    *) echo "did $line";;
  esac
done`;

const program: AnyBehavior = {
  host: { name: 'a shell', repeatable: false, controlled: false },
  start(ctx) {
    const io = ctx as unknown as Io;
    const child: Child = spawn('sh', ['-c', PROGRAM], { stdio: ['pipe', 'pipe', 'ignore'] });
    createInterface({ input: child.stdout }).on('line', (line) => io.send('client', { type: line }));
    return child;
  },
  receive: (child, message) => void (child as Child).stdin.write(`${(message as Message).type}\n`),
  view: () => ({}),
  async close(subject) {
    const child = subject as Child;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  },
};

const client = behavior<{ booms: number }, Message>({
  start: () => ({ booms: 0 }),
  receive(state, { type }) {
    if (type === 'boom') state.booms += 1;
  },
});

const NEEDED = new Map([
  [5, 'arm 1'],
  [11, 'arm 2'],
]);

/** Many inputs of which three matter, and executions that wait for real time, at the default pace. */
export default defineSystem({ inputs: 16, isBroken: true }, ({ inputs, isBroken }) =>
  defineSystem({
    processes: { program, client },
    workload: [
      ...Array.from({ length: inputs - 1 }, (_, at) => send('program', { type: NEEDED.get(at) ?? `put ${at}` })),
      send('program', { type: 'fire' }),
    ],
    invariants: { noBoom: (world) => !isBroken || (world.process('client').state?.booms ?? 0) === 0 },
  }),
);
