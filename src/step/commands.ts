import { CulpritError } from '../error.ts';
import { didYouMean } from '../text/did-you-mean.ts';
import type { StepCommand } from '../system/step-commands.ts';
import { BadCommand } from './bad-command.ts';
import { aligned } from '../text/aligned.ts';
import { labeled } from './rows.ts';

/** A command that can be typed. */
interface Command {
  readonly name: string;
  readonly short?: string;
  /** Its arguments. */
  readonly takes?: string;
  readonly does: string;
  /** More help, shown on request. */
  readonly more?: readonly string[];
}

const groups: Readonly<Record<string, readonly Command[]>> = {
  happens: [
    { name: 'list', short: 'l', does: 'what can happen next' },
    {
      name: 'run',
      short: 'r',
      takes: '[n] [until …]',
      does: 'runs random steps: see `help run`',
      more: [
        'run 20              20 random steps, fewer if the execution ends',
        'run                 until nothing can happen or a violation',
        'run until lock      until an event of that process',
        'run until granted   until an event with this text in its description or log',
        'run until shipped   until that `sometimes` of the system is true',
        'run 20 seed 7       other choices',
        'run 20 faults       with random faults, within the declared budgets',
      ],
    },
    { name: 'next', short: 'n', takes: '[n]', does: 'performs the next recorded event' },
    {
      name: 'wait',
      short: 'w',
      takes: '[ms]',
      does: 'lets time pass, where processes act by themselves',
      more: ['wait       until something arrives, or the system is quiet', 'wait 200   200 ms'],
    },
    { name: 'undo', short: 'u', takes: '[n]', does: 'takes back the last event, the last n, or `all`' },
    { name: 'redo', takes: '[n]', does: 'performs events again that were taken back' },
  ],
  inject: [
    { name: 'crash', takes: 'process', does: 'crashes it: only its disk survives' },
    { name: 'restart', takes: 'process', does: 'restarts it' },
    { name: 'pause', takes: 'process', does: 'pauses it: nothing happens to it until `resume`' },
    { name: 'resume', takes: 'process', does: 'lets it continue' },
    { name: 'stop', takes: 'process', does: 'stops it gracefully' },
    {
      name: 'start',
      takes: 'process [kind]',
      does: 'starts it, or adds a process of a kind',
      more: ['start w-1 worker {"of":"a"}   a process of the kind worker, with these arguments'],
    },
    {
      name: 'cut',
      takes: 'a b',
      does: 'cuts the link between them: see `help cut`',
      more: [
        'cut a b       both ways',
        'cut a > b     from a to b only',
        'cut a,b c,d   every process of one side from every process of the other',
        'cut a         from all others',
        'cut a b on x  the lane x only',
      ],
    },
    { name: 'heal', takes: '[a b]', does: 'heals that link, or all' },
    { name: 'lose', takes: 'message', does: 'by number or words: see `pending`' },
    { name: 'duplicate', takes: 'message', does: 'the same' },
    { name: 'hold', takes: 'message until event', does: 'delivers it later, by numbers or words: hold 2 until 5' },
    { name: 'send', takes: 'process json', does: 'from outside: send lock {"type":"release"}' },
    { name: 'act', takes: 'name [json]', does: 'an action of the system' },
  ],
  look: [
    {
      name: 'state',
      short: 's',
      takes: '[process]',
      does: 'states of all processes, or of one with its disk',
      more: ['state a              all of it, and its disk', 'state a log.0.term   a part of its state'],
    },
    { name: 'event', short: 'e', takes: '[n]', does: 'the last event, or event n: cause, message, changes' },
    { name: 'pending', short: 'p', does: 'pending messages, timers and disk requests' },
    { name: 'story', takes: '[n]', does: 'all events, or the last n' },
    { name: 'past', takes: '[n]', does: 'only the events that the last one, or event n, depends on' },
    { name: 'check', short: 'c', does: 'the verdict of each invariant and oracle' },
  ],
  keep: [
    { name: 'save', takes: '[file]', does: 'saves a trace to replay, minimize or export' },
    { name: 'script', does: 'the session so far, as commands to type or pipe in' },
    { name: 'help', short: '?', takes: '[command]', does: 'this' },
    { name: 'quit', short: 'q', does: 'saves the session and leaves, like Ctrl-D' },
  ],
};

/** The commands of a session: those of every session, and those of its system. */
export class Commands {
  private readonly groups: readonly (readonly [name: string, commands: readonly Command[]])[];
  private readonly all: readonly Command[];

  constructor(private readonly ofSystem: ReadonlyMap<string, StepCommand>) {
    const builtIn = Object.entries(groups);
    const known = new Set(builtIn.flatMap(([, commands]) => commands.flatMap(({ name, short }) => [name, short])));
    for (const name of ofSystem.keys()) if (known.has(name)) throw new CommandExists(name);
    const own = [...ofSystem].map(([name, command]): Command => ({ name, ...command }));
    this.groups = own.length === 0 ? builtIn : [...builtIn, ['system', own]];
    this.all = this.groups.flatMap(([, commands]) => commands);
  }

  get names(): readonly string[] {
    return this.all.map(({ name }) => name);
  }

  /** The command that a word stands for. */
  called(word: string): string | undefined {
    return this.commandOf(word)?.name;
  }

  /** The command of the system with this name. */
  systemCommand(name: string): StepCommand | undefined {
    return this.ofSystem.get(name);
  }

  /** The list of commands, or the help of one of them. */
  helpLines(asked: string): string[] {
    if (asked === '') return this.everyCommand();
    const command = this.commandOf(asked);
    if (command === undefined)
      throw new BadCommand(
        `there is no command ${asked}${didYouMean(asked, this.names) || '.'}`,
        'List all commands with: help',
      );
    const { name, does, more = [] } = command;
    return labeled(name, more.length === 0 ? [`${usage(command).slice(name.length).trim()}  ${does}`.trim()] : more);
  }

  private commandOf(word: string): Command | undefined {
    return this.all.find(({ name, short }) => name === word || short === word);
  }

  private everyCommand(): string[] {
    const rows = this.all.map((command) => [usage(command), command.does]);
    const texts = aligned([['a number, or words', 'performs that event: 2, or acquire client-1'], ...rows]);
    let from = 0;
    return this.groups.flatMap(([group, { length }], at) => {
      const to = from + length + (at === 0 ? 1 : 0);
      const lines = labeled(group, texts.slice(from, to));
      from = to;
      return lines;
    });
  }
}

/** A command of the system has the name of one that every session has. */
class CommandExists extends CulpritError {
  readonly code = 'COMMAND_EXISTS';

  constructor(name: string) {
    super(
      `the system has a command ${name}, which \`culprit step\` has for every system.`,
      'Give it another name in `commands`.',
    );
  }
}

const usage = ({ name, short, takes }: Command): string =>
  `${name}${short === undefined ? '' : `, ${short}`}${takes === undefined ? '' : ` ${takes}`}`;
