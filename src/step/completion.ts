import { choicesOf } from './choices.ts';
import { commandCalled, commandNames } from './commands.ts';
import { matching } from './matching.ts';
import { namesIn } from './names.ts';
import { textOf } from './describe.ts';
import type { Track } from './track.ts';
import { quoted } from './words.ts';

/** Completions of a line, and the part of the line that they replace. */
export function completions(line: string, track: Track): [hits: string[], part: string] {
  const choices = track.isOver ? [] : choicesOf(track, undefined);
  const texts = choices.map(textOf);
  const [first = '', ...rest] = line.split(' ');
  const whole = startingWith(line, rest.length === 0 ? [...commandNames, ...texts] : texts);
  if (whole.length > 0) return [whole, line];
  const command = commandCalled(first);
  // Words of a description are completed to the whole description.
  if (command === undefined) return [matching(line, choices).map(textOf), line];
  const part = rest.at(-1) ?? '';
  return [startingWith(part, argumentsOf(command, rest, track)), part];
}

function argumentsOf(command: string, rest: readonly string[], track: Track): string[] {
  const names = namesIn(track).map(quoted);
  const up = new Set(track.session.world.up().map(({ name }) => quoted(name)));
  switch (command) {
    case 'crash':
    case 'stop':
    case 'pause':
    case 'resume':
      return [...up];
    case 'restart':
      return names.filter((name) => !up.has(name));
    case 'cut':
    case 'heal':
      return names;
    case 'state':
    case 'send':
    case 'start':
      return rest.length === 1 ? names : [];
    case 'act':
      return rest.length === 1 ? [...track.origin.system.declaration.actions.keys()] : [];
    case 'run':
      return rest.includes('until')
        ? ['violated', ...track.origin.system.sometimes.keys(), ...names]
        : ['until', 'seed', 'faults'];
    default:
      return [];
  }
}

const startingWith = (part: string, among: readonly string[]): string[] =>
  [...new Set(among)].filter((one) => one.startsWith(part));
