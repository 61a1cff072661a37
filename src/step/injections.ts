import {
  act,
  crash,
  cut,
  cutOneWay,
  heal,
  healOneWay,
  pause,
  restart,
  resume,
  send,
  start,
  stop,
} from '../system/externals.ts';
import { hex } from '../trace/digest.ts';
import { ENVIRONMENT, type External } from '../trace/event.ts';
import { fromPortable } from '../trace/json-encoding.ts';
import { BadCommand } from './bad-command.ts';
import type { Choice } from './choices.ts';
import { chosenFrom, nameAmong } from './matching.ts';
import { namesIn } from './names.ts';
import type { Track } from './track.ts';
import { quoted, split, wordsOf } from './words.ts';

/** An external, and the command that injects it. */
export interface Injection {
  readonly external: External;
  readonly text: string;
}

type InjectionMaker = (rest: string, track: Track, command: string) => External;

const makers: Readonly<Record<string, InjectionMaker>> = {
  crash: (rest, _track, command) => crash(oneName(rest, command)),
  restart: (rest, _track, command) => restart(oneName(rest, command)),
  pause: (rest, _track, command) => pause(oneName(rest, command)),
  resume: (rest, _track, command) => resume(oneName(rest, command)),
  stop: (rest, _track, command) => stop(oneName(rest, command)),
  start: started,
  send: sent,
  act: acted,
  cut: linked,
  heal: linked,
};

/** The external that a command injects; undefined for other commands. `shown`: the numbered pending events. */
export function injectionOf(
  command: string,
  rest: string,
  track: Track,
  shown: readonly Choice[],
): Injection | undefined {
  if (command === 'lose' || command === 'duplicate') return tampered(command, rest, shown);
  if (command === 'hold') return heldBack(rest, shown);
  const make = makers[command];
  return make && { external: make(rest, track, command), text: `${command} ${rest}`.trim() };
}

function tampered(kind: 'lose' | 'duplicate', rest: string, all: readonly Choice[]): Injection {
  const { target, text } = messageIn(kind, rest, all);
  return { external: { kind, target }, text: `${kind} ${text}` };
}

/** `hold 2 until 5`: a message, and the event that it waits for, each by number or words. */
function heldBack(rest: string, all: readonly Choice[]): Injection {
  const [message = '', event = ''] = rest.split(/\buntil\b/).map((part) => part.trim());
  const { target, text } = messageIn('hold', message, all);
  if (event === '')
    throw new BadCommand('hold: until which event?', 'Choose both by number or words, such as: hold 2 until 5.');
  const found = chosenFrom(event, all, 'waits');
  if (!('hi' in found.event))
    throw new BadCommand(`hold: ${found.who} ${found.what} does not wait to happen.`, '`pending` shows what does.');
  const until = `${text} until ${nameIn(found, all, all)}`;
  return { external: { kind: 'hold', target, until: hex(found.event) }, text: `hold ${until}` };
}

function messageIn(kind: string, rest: string, all: readonly Choice[]): { target: string; text: string } {
  if (rest === '')
    throw new BadCommand(
      `${kind}: which message?`,
      `Choose it by number or words, such as: ${kind} 2. \`pending\` lists all.`,
    );
  const isNumber = /^\d+$/.test(rest);
  const messages = all.filter(({ event }) => event.kind === 'deliver');
  const found = chosenFrom(rest, isNumber ? all : messages, 'waits');
  if (found.event.kind !== 'deliver')
    throw new BadCommand(
      `${kind} ${rest}: ${found.who} ${found.what} is not a message.`,
      '`pending` shows the messages.',
    );
  return { target: hex(found.event), text: nameIn(found, messages, all) };
}

/** The words that tell it from the others; its number among all if none do. */
function nameIn(found: Choice, others: readonly Choice[], all: readonly Choice[]): string {
  const name = nameAmong(found, others);
  return /^\d+$/.test(name) ? String(all.indexOf(found) + 1) : name;
}

function oneName(rest: string, command: string): string {
  const [name, ...more] = wordsOf(rest);
  if (name !== undefined && more.length === 0) return name;
  throw new BadCommand(
    `${command} takes the name of one process${rest === '' ? '' : `, not “${rest}”`}.`,
    `Such as: ${command} ${EXAMPLE}. \`state\` shows the processes.`,
  );
}

const EXAMPLE = 'node-1';

function started(rest: string): External {
  const [name, more] = split(rest);
  const [kind, args] = split(more);
  if (name === '')
    throw new BadCommand('start: which process?', 'Give its name, and its kind if it joins: start w-1 worker.');
  return start(name, kind === '' ? undefined : kind, args === '' ? undefined : dataIn(args, 'start w-1 worker'));
}

function sent(rest: string): External {
  const [to, json] = split(rest);
  const example = `send ${to === '' ? EXAMPLE : quoted(to)}`;
  if (to === '' || json === '')
    throw new BadCommand('send takes a process and a message.', `Such as: ${example} {"type":"ping"}`);
  return send(to, dataIn(json, example));
}

function acted(rest: string): External {
  const [name, json] = split(rest);
  if (name === '')
    throw new BadCommand('act: which action?', 'Give its name: the system declares actions in `actions`.');
  return act(name, json === '' ? undefined : dataIn(json, `act ${name}`));
}

/** Data that JSON cannot express is written as in traces. */
function dataIn(json: string, example: string): unknown {
  try {
    return fromPortable(JSON.parse(json) as unknown);
  } catch (error) {
    throw new BadCommand(
      `${json} is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
      `Use double quotes for names and texts: ${example} {"type":"ping"}`,
      { cause: error },
    );
  }
}

/** `cut a b` · `cut a,b c` · `cut a` from all others · `cut a > b` one way · `cut a b on bulk` one lane · `heal` everything. */
function linked(rest: string, track: Track, command: string): External {
  const isCut = command === 'cut';
  if (rest === '' && !isCut) return heal();
  const words = wordsOf(rest.replaceAll(/\s*,\s*/g, ',').replaceAll('>', ' > '));
  const on = words.length > 2 ? words.lastIndexOf('on', words.length - 2) : -1;
  const lane = on < 1 ? undefined : words.slice(on + 1).join(' ');
  const of = lane === undefined ? {} : { lane };
  const sides = on < 1 ? words : words.slice(0, on);
  const isOneWay = sides[1] === '>';
  const [one, other, ...more] = sides.filter((side) => side !== '>').map((side) => side.split(','));
  if (one === undefined || more.length > 0)
    throw new BadCommand(
      `${command} takes two sides${rest === '' ? '' : `, not “${rest}”`}.`,
      `Such as: ${command} a b, ${command} a,b c (names with a comma between them), ${command} a > b (one way), ${command} a (from all others), ${command} a b on bulk (one lane).`,
    );
  const others = other ?? namesIn(track).filter((name) => !one.includes(name) && name !== ENVIRONMENT);
  if (isOneWay) return isCut ? cutOneWay(one, others, of) : healOneWay(one, others, of);
  return isCut ? cut(one, others, of) : heal(one, others, of);
}
