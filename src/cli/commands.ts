import type { Command } from 'commander';

/** A function for each command, by its name. */
type Commands = Readonly<Record<string, () => Command>>;

/**
 * The build makes a bundle of each of the two lists, so a hunt starts without the code of networks, of steps and of `doctor`: that is a fifth of what it
 * would load. A bundle for each command would be slower to load, since commands share most of their code.
 */
const frequent = async (): Promise<Commands> => (await import('./frequent-commands.ts')).frequentCommands;
const other = async (): Promise<Commands> => (await import('./other-commands.ts')).otherCommands;

/** The commands, in the order of the help. */
const commands: Readonly<Record<string, () => Promise<Commands>>> = {
  init: other,
  hunt: frequent,
  check: frequent,
  replay: frequent,
  minimize: frequent,
  explain: frequent,
  view: other,
  diff: other,
  step: other,
  export: other,
  network: other,
  import: other,
  doctor: other,
  clean: other,
  worker: other,
};

/** Internal: see `doctor`. */
const hidden: typeof commands = { elsewhere: other };

const all = { ...commands, ...hidden };

export const isHidden = (name: string): boolean => Object.hasOwn(hidden, name);

/** The names of the commands that a command line may ask for: of one, if its first word is one; otherwise all, for the help. */
export const namesFor = (word: string): string[] => (Object.hasOwn(all, word) ? [word] : Object.keys(commands));

/** The command of this name. */
export async function commandCalled(name: string): Promise<Command> {
  const make = (await all[name]?.())?.[name];
  if (make === undefined) throw new Error(`There is no command ${name}.`);
  return make();
}
