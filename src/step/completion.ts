import { choicesOf } from './choices.ts';
import type { StepCommand } from '../system/step-commands.ts';
import type { Commands } from './commands.ts';
import { matching } from './matching.ts';
import { namesIn } from './names.ts';
import { textOf } from './describe.ts';
import type { Track } from './track.ts';
import { quoted } from './words.ts';

/** Completions of a line, and the part of the line that they replace. */
export function completions(line: string, track: Track, commands: Commands): [hits: string[], part: string] {
  const choices = track.isOver ? [] : choicesOf(track, undefined);
  const texts = choices.map(textOf);
  const [first = '', ...rest] = line.split(' ');
  const whole = startingWith(line, rest.length === 0 ? [...commands.names, ...texts] : texts);
  if (whole.length > 0) return [whole, line];
  const command = commands.called(first);
  // Words of a description are completed to the whole description.
  if (command === undefined) return [matching(line, choices).map(textOf), line];
  const part = rest.at(-1) ?? '';
  return [startingWith(part, argumentsOf(command, rest, track, commands)), part];
}

function argumentsOf(command: string, rest: readonly string[], track: Track, commands: Commands): readonly string[] {
  const own = commands.systemCommand(command);
  if (own !== undefined)
    return 'sameAs' in own ? argumentsOf(own.sameAs, rest, track, commands) : completedBy(own, rest, track);
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

const completedBy = ({ completes }: Exclude<StepCommand, { sameAs: string }>, rest: readonly string[], track: Track) =>
  (completes?.(rest, track.session.world) ?? []).map(quoted);

const startingWith = (part: string, among: readonly string[]): string[] =>
  [...new Set(among)].filter((one) => one.startsWith(part));
