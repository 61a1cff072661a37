import {
  targetOf,
  resolveSystem,
  act,
  crash,
  cut,
  heal,
  Observer,
  restart,
  send,
  start,
  stop,
  type Session,
} from 'culprit/kernel';
import { storyLines } from 'culprit/report';
import type { Parameter, System } from 'culprit';
import type { EventLine, External, Internal } from 'culprit/trace';

/**
 * Plays commands against a fresh session and writes down what each did: protocol tests that read like a log.
 *
 *   start a · stop a · crash a · restart a · join w worker · send a {"type":"x"} · cut a b · heal a b · act name
 *   deliver from to · fire a timer · write a key · read a key · wake a · expire a · return a · spawn a
 *   enabled        lists what may happen now
 */
export async function play(
  system: System,
  commands: string,
  set: Readonly<Record<string, Parameter>> = {},
): Promise<string> {
  const session = targetOf(resolveSystem(system, set)).open(1);
  const observer = new Observer();
  const lines: EventLine[] = [];
  const remarks: { after: number; text: string }[] = [];
  for (const command of commands.split('\n').map((line) => line.trim())) {
    if (command === 'enabled') {
      const enabled = session.enabled.map(brief).sort().join(', ') || 'nothing';
      remarks.push({ after: lines.length, text: `enabled: ${enabled}` });
    } else if (command !== '') {
      await session.perform(eventFor(session, command));
      lines.push(...observer.observe(session));
      const { failure } = session.world;
      if (failure !== undefined)
        remarks.push({ after: lines.length, text: `${failure.process} threw ${String(failure.error)}` });
    }
  }
  return written(lines, remarks);
}

/** The story, with each remark behind the event it follows. */
function written(lines: readonly EventLine[], remarks: readonly { after: number; text: string }[]): string {
  const story = storyLines(lines).map((line) => line.slice(2));
  const all = story.flatMap((line, at) => [
    line,
    ...remarks.filter(({ after }) => after === at + 1).map(({ text }) => `   ${text}`),
  ]);
  return `\n${all.join('\n')}\n`;
}

function eventFor(session: Session, command: string): Internal | External {
  const [verb = '', one = '', two = ''] = command.split(' ');
  const externals: Record<string, () => External> = {
    start: () => start(one),
    stop: () => stop(one),
    crash: () => crash(one),
    restart: () => restart(one),
    join: () => start(one, two),
    send: () => send(one, JSON.parse(command.slice(command.indexOf('{'))) as unknown),
    cut: () => cut(one, two),
    heal: () => heal(one, two),
    act: () => act(one),
  };
  return externals[verb]?.() ?? internalFor(session, command, verb, one, two);
}

function internalFor(session: Session, command: string, verb: string, one: string, two: string): Internal {
  const matches: Record<string, (event: Internal) => boolean> = {
    deliver: (event) => event.kind === 'deliver' && event.from === one && event.process === two,
    fire: (event) => event.kind === 'fire' && event.process === one && event.timer === two,
    write: (event) =>
      event.kind === 'complete' && event.operation === 'write' && event.process === one && event.key === two,
    read: (event) =>
      event.kind === 'complete' && event.operation === 'read' && event.process === one && event.key === two,
    wake: (event) => event.kind === 'complete' && event.operation === 'sleep' && event.process === one,
    expire: (event) => event.kind === 'complete' && event.operation === 'timeout' && event.process === one,
    return: (event) => event.kind === 'return' && event.process === one,
    spawn: (event) => event.kind === 'spawn' && event.process === one,
  };
  const found = session.enabled.find((event) => matches[verb]?.(event) === true);
  if (found === undefined)
    throw new Error(`${command}: not enabled; enabled are ${session.enabled.map(brief).join(', ')}`);
  return found;
}

function brief(event: Internal): string {
  switch (event.kind) {
    case 'deliver':
      return `${event.from}→${event.process} ${label(event.message)}`;
    case 'return':
      return `${event.process}←${event.to} ${label(event.message)}`;
    case 'fire':
      return `${event.process} fire ${event.timer}`;
    case 'complete':
      return `${event.process} ${event.operation} ${event.key}`.trimEnd();
    case 'spawn':
      return `spawn ${event.process}`;
  }
}

const label = (message: unknown): string =>
  typeof message === 'object' && message !== null && 'type' in message ? String(message.type) : JSON.stringify(message);
