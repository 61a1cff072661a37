import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { CulpritError } from '../../error.ts';
import { replaceFile } from '../../files/access.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { StepAnswer, Stepping } from '../../step/stepping.ts';
import { labeled, printLines } from '../output/lines.ts';
import { terminalWidth } from '../output/output.ts';
import { PROMPT } from './prompt.ts';

const CHOICES_MIN = 5;

/** The commands that an empty line repeats. */
const REPEATED = /^(n|next|r|run|u|undo|redo)\b/;

/**
 * Reads commands from a terminal. Ctrl-C ends a run or clears the line, but not the session; Ctrl-D and `quit` end the
 * session and save unsaved events.
 */
export async function stepOnTerminal(stepping: Stepping, opening: string, out: string): Promise<void> {
  const session = new TerminalSession(stepping);
  const keep = (): void => saveScript(stepping, out);
  // In case the process ends early, for example through code of the system that belongs to no event.
  process.once('exit', keep);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => session.leave());
  await session.readAll([opening], () => session.clearLine());
  await saveOnLeaving(stepping, keep);
  process.removeListener('exit', keep);
}

/**
 * The same in an execution of a hunt, which continues after Ctrl-D and `quit`. Ctrl-C without a run, the signal, and the loss of the terminal
 * end the hunt: then unsaved events are saved.
 */
export async function stepInHunt(
  stepping: Stepping,
  opening: readonly string[],
  signal: AbortSignal,
): Promise<'resumes' | 'ends'> {
  const session = new TerminalSession(stepping);
  const ending = new AbortController();
  const end = (): void => {
    ending.abort();
    session.leave();
  };
  process.once('SIGHUP', end);
  signal.addEventListener('abort', end, { once: true });
  await session.readAll(opening, end);
  process.removeListener('SIGHUP', end);
  signal.removeEventListener('abort', end);
  // Leaves the line of the prompt.
  printLines(['']);
  if (!ending.signal.aborted) return 'resumes';
  await saveOnLeaving(stepping);
  return 'ends';
}

class TerminalSession {
  private readonly lines: Interface;
  private run: AbortController | undefined;
  private last = '';

  constructor(private readonly stepping: Stepping) {
    this.lines = createInterface({
      input: process.stdin,
      output: process.stdout,
      prompt: PROMPT,
      completer: (line: string) => stepping.complete(line),
    });
  }

  /** Ctrl-C ends a run; without one, it does what `onInterrupt` does. */
  async readAll(opening: readonly string[], onInterrupt: () => void): Promise<void> {
    const { stepping } = this;
    this.lines.on('SIGINT', () => (this.run === undefined ? onInterrupt() : this.run.abort()));
    printLines([...opening, ...stepping.opening({ width: terminalWidth() }), ...stepping.choiceLines(choicesShown())]);
    this.lines.prompt();
    for await (const line of this.lines) {
      const isLeaving = await this.enter(line.trim() === '' ? this.repeated() : line);
      if (isLeaving) break;
      this.lines.prompt();
    }
    this.lines.close();
  }

  clearLine(): void {
    printLines(['', `          Ctrl-D or \`quit\` saves the session and leaves.`]);
    this.lines.write(null, { ctrl: true, name: 'e' });
    this.lines.write(null, { ctrl: true, name: 'u' });
    this.lines.prompt();
  }

  leave(): void {
    this.run?.abort();
    this.lines.close();
  }

  private repeated(): string {
    return REPEATED.test(this.last) ? this.last : 'list';
  }

  private async enter(line: string): Promise<boolean> {
    this.run = new AbortController();
    this.last = line.trim();
    try {
      const answer = await this.stepping.enter(line, { width: terminalWidth(), signal: this.run.signal });
      this.show(answer);
      return answer.isLeaving;
    } catch (error) {
      if (!(error instanceof CulpritError)) throw error;
      printLines([...labeled('error', error.message), ...labeled('next', error.next)]);
      return false;
    } finally {
      this.run = undefined;
    }
  }

  /** After an event has happened, shows the events that can happen next. */
  private show({ lines, hasMoved }: StepAnswer): void {
    printLines(hasMoved ? [...lines, ...this.stepping.choiceLines(choicesShown())] : lines);
  }
}

/** Half of the screen, so that the last event stays visible. */
const choicesShown = (): number => Math.max(CHOICES_MIN, Math.floor(process.stdout.rows / 2));

async function saveOnLeaving(stepping: Stepping, otherwise?: () => void): Promise<void> {
  if (!stepping.isUnsaved) return;
  try {
    printLines(await stepping.save());
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    printLines([...labeled('error', error.message), ...labeled('next', error.next)]);
    otherwise?.();
  }
}

/** Saves the commands as a script: while the process ends, a trace can no longer be made. */
function saveScript(stepping: Stepping, out: string): void {
  if (!stepping.isUnsaved) return;
  const path = join(out, `step-${process.pid}.txt`);
  const script = stepping.script();
  try {
    replaceFile(path, Buffer.from(`${script.join('\n')}\n`));
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    printLines([...labeled('unsaved', `${error.message} As a script:`), ...script]);
    return;
  }
  printLines([`kept      ${path}, as a script: culprit step … < ${shellWord(path)}`]);
}
