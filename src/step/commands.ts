import { BadCommand } from './bad-command.ts';
import { aligned, labeled } from './rows.ts';

/** What can be typed. */
interface Command {
  readonly name: string;
  readonly short?: string;
  /** What follows the name. */
  readonly takes?: string;
  readonly does: string;
  /** What there is to know besides, for who asks about it. */
  readonly more?: readonly string[];
}

const groups: Readonly<Record<string, readonly Command[]>> = {
  happens: [
    { name: 'list', short: 'l', does: 'what can happen next' },
    {
      name: 'run',
      short: 'r',
      takes: '[n] [until …]',
      does: 'random steps: see `help run`',
      more: [
        'run 20              so many random steps; fewer where the execution ends',
        'run                 until nothing can happen, or something is violated',
        'run until lock      until an event of that process',
        'run until granted   until an event that is told with these words, also logged',
        'run until shipped   until that `sometimes` of the system is so',
        'run 20 seed 7       other choices',
        'run 20 faults       with faults by chance, as far as the system declares them',
      ],
    },
    { name: 'next', short: 'n', takes: '[n]', does: 'goes on with the recording' },
    { name: 'undo', short: 'u', takes: '[n]', does: 'takes back the last event, so many, or `all`' },
    { name: 'redo', takes: '[n]', does: 'does again what was taken back' },
  ],
  inject: [
    { name: 'crash', takes: 'process', does: 'it loses all but its disk' },
    { name: 'restart', takes: 'process', does: 'starts it again' },
    { name: 'stop', takes: 'process', does: 'ends it on purpose' },
    {
      name: 'start',
      takes: 'process [kind]',
      does: 'starts it, or lets one of a kind join',
      more: ['start w-1 worker {"of":"a"}   a process of the kind worker, with these arguments'],
    },
    {
      name: 'cut',
      takes: 'a b',
      does: 'cuts the link between them: see `help cut`',
      more: [
        'cut a b       both ways',
        'cut a > b     from a to b only',
        'cut a,b c,d   each of the one side from each of the other',
        'cut a         from all others',
      ],
    },
    { name: 'heal', takes: '[a b]', does: 'heals that link, or all' },
    { name: 'lose', takes: 'message', does: 'by number or words: see `pending`' },
    { name: 'duplicate', takes: 'message', does: 'the same' },
    { name: 'send', takes: 'process json', does: 'from outside: send lock {"type":"release"}' },
    { name: 'act', takes: 'name [json]', does: 'an action of the system' },
  ],
  look: [
    {
      name: 'state',
      short: 's',
      takes: '[process]',
      does: 'of all processes, or of one with its disk',
      more: ['state a              all of it, and its disk', 'state a log.0.term   a part of its state'],
    },
    { name: 'event', short: 'e', takes: '[n]', does: 'the last, or that one: cause, message, changes' },
    { name: 'pending', short: 'p', does: 'messages, timers and disk requests that wait' },
    { name: 'story', takes: '[n]', does: 'what happened, or the last so many events' },
    { name: 'past', takes: '[n]', does: 'only what the last, or that one, depends on' },
    { name: 'check', short: 'c', does: 'what each invariant and oracle says' },
  ],
  keep: [
    { name: 'save', takes: '[file]', does: 'writes a trace: to replay, minimize, export' },
    { name: 'script', does: 'what was done, as commands to type or pipe in' },
    { name: 'help', short: '?', takes: '[command]', does: 'this' },
    { name: 'quit', short: 'q', does: 'leaves, as Ctrl-D does, and saves what is left' },
  ],
};

const commands = Object.values(groups).flat();

export const commandNames: readonly string[] = commands.map(({ name }) => name);

/** The command that a word means. */
export const commandCalled = (word: string): string | undefined => commandOf(word)?.name;

const commandOf = (word: string): Command | undefined =>
  commands.find(({ name, short }) => name === word || short === word);

/** All commands, or one of them with more about it. */
export function helpLines(asked: string): string[] {
  if (asked === '') return everyCommand();
  const command = commandOf(asked);
  if (command === undefined) throw new BadCommand(`there is no command ${asked}.`, 'See all of them with: help');
  const { name, does, more = [] } = command;
  return labeled(name, more.length === 0 ? [`${usage(command).slice(name.length).trim()}  ${does}`.trim()] : more);
}

function everyCommand(): string[] {
  const rows = commands.map((command) => [usage(command), command.does]);
  const texts = aligned([['a number, or words', 'lets that happen: 2, or acquire client-1'], ...rows]);
  let from = 0;
  return Object.entries(groups).flatMap(([group, { length }], at) => {
    const to = from + length + (at === 0 ? 1 : 0);
    const lines = labeled(group, texts.slice(from, to));
    from = to;
    return lines;
  });
}

const usage = ({ name, short, takes }: Command): string =>
  `${name}${short === undefined ? '' : `, ${short}`}${takes === undefined ? '' : ` ${takes}`}`;
