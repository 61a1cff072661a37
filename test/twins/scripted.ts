import { targetOf, resolveSystem } from 'culprit/kernel';
import { behavior, defineSystem } from 'culprit';
import type { Definition, AnyBehavior, Session } from 'culprit/kernel';
import type { External, Internal } from 'culprit/trace';

/** Tiny processes, and events named by a few words, for tests that a reader can follow. */

/** Takes messages and does nothing. */
export const idle = behavior<object, string>({ start: () => ({}), receive() {} });

/** Passes messages on: `b c hello` goes to `b` as `c hello`, then to `c` as `hello`. */
export const relay = behavior<object, string>({
  start: () => ({}),
  receive(_state, message, ctx) {
    const [to, ...rest] = message.split(' ');
    if (to !== undefined && rest.length > 0) ctx.send(to, rest.join(' '));
  },
});

/** Answers asks. */
export const echo = behavior<object, string>({
  start: () => ({}),
  receive(_state, message, ctx) {
    ctx.reply(`${message}!`);
  },
});

/** Spawns a worker for every message. */
export const spawner = behavior<object, string>({
  start: () => ({}),
  receive(_state, _message, ctx) {
    ctx.spawn('worker');
  },
});

export const open = (definition: Definition<Readonly<Record<string, AnyBehavior>>>): Session =>
  targetOf(resolveSystem(defineSystem(definition))).open(1);

/** `deliver b hello`, `fire a tick`, `complete a write k`, `return a hello`, `spawn a/worker-1`. */
export function words(event: Internal): string {
  switch (event.kind) {
    case 'deliver':
    case 'return':
      return `${event.kind} ${event.process} ${String(event.message)}`;
    case 'fire':
      return `fire ${event.process} ${event.timer}`;
    case 'complete':
      return `complete ${event.process} ${event.operation} ${event.key}`.trim();
    case 'spawn':
      return `spawn ${event.process}`;
  }
}

export const enabled = (session: Session): string[] => session.enabled.map(words).sort();

/** Performs the given externals, and the enabled events that the words name. */
export async function perform(session: Session, ...steps: readonly (External | string)[]): Promise<void> {
  for (const step of steps) await session.perform(typeof step === 'string' ? called(session, step) : step);
}

function called(session: Session, step: string): Internal {
  const event = session.enabled.find((other) => words(other) === step);
  if (event === undefined) throw new Error(`${step} is not among ${enabled(session).join(', ')}`);
  return event;
}
