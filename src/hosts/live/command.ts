import type { OpaqueBehavior } from '../../kernel/behavior.ts';
import type { Io } from '../../kernel/uncontrolled/io.ts';
import { settingsOf, type CommandOptions, type CommandSettings } from './command-options.ts';
import type { LiveHost } from './connector.ts';
import { hasProc } from './process/proc.ts';
import { Program } from './program.ts';

/** A process whose code is somebody else's program. */
export type CommandBehavior<V extends object> = OpaqueBehavior<Program, V, unknown> & { readonly host: LiveHost };

/**
 * Makes a program a process of a system: a real child process, in any language. `$address`, `$port`, `$dir` and `$name` stand for its
 * own, `$address.n2` and `$port.n2` for where it finds another process.
 */
export function command<V extends object = object>(
  line: string | readonly string[],
  options: CommandOptions<V> = {},
): CommandBehavior<V> {
  const settings = settingsOf(line, options);
  return {
    host: hostOf(settings),
    // A process of a host that is not controlled gets its `io` where other processes get their context.
    start: (ctx) => Program.start(ctx as unknown as Io, settings),
    receive: (program, message, { from, lane }) => program.deliver(message, from, lane),
    ...(settings.inside && { timer: (program: Program, timer: string) => program.fire(timer) }),
    setPaused: (program, isPaused) => program.setPaused(isPaused),
    view: (program) => program.view() as V,
    close: (program, ending) => program.close(ending),
    ...(settings.inside?.checkpoints === true && { checkpoint: (program: Program) => program.checkpoint() }),
  };
}

const hostOf = ({ port, connect, reactions, speed }: CommandSettings): LiveHost => ({
  name: 'live',
  repeatable: false,
  controlled: false,
  // Where looks at its threads say when it has finished reacting, it sends in reaction to events, but for its timers.
  messagesAreOurs: hasProc && (connect?.messagesAreOurs ?? connect?.isDirect) === true,
  port,
  connector: connect,
  reactions,
  speed,
});
