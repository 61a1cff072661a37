import { hex } from '../trace/digest.ts';
import type { Undelivered } from '../trace/undelivered.ts';
import type { Event, External } from '../trace/event.ts';
import { plural } from '../text/plural.ts';
import type { Origin } from '../execution/record.ts';
import { BadCommand } from './bad-command.ts';
import { followRecording, followWaiting } from './recorded.ts';
import { randomRun } from './random-run.ts';
import { choicesOf, nextOfWorkload, waitingIn, type Choice } from './choices.ts';
import type { StepCommand } from '../system/step-commands.ts';
import type { EventLine } from '../trace/format.ts';
import { Commands } from './commands.ts';
import { completions } from './completion.ts';
import { injectionOf, type Injection } from './injections.ts';
import { choiceLines, eventLines, pastLines, pendingLines, stateLines, lastEventLines } from './inspections.ts';
import { judgmentLines, judgments, markLines } from './judgments.ts';
import { chosenFrom, nameAmong } from './matching.ts';
import { namesIn } from './names.ts';
import { endLines, mustBeUndoable, stopLines } from './outcome.ts';
import { isSameExternal, LoadedRecording } from './recorded.ts';
import { parseRun } from './random-run.ts';
import { running, type Run, type Stop } from './running.ts';
import { save, savedLines } from './saving.ts';
import { scriptLines } from './saving.ts';
import { textOf } from './describe.ts';
import { injectedBy, shownBy } from './system-command.ts';
import { Track, type BegunExecution, type Move, type Typed } from './track.ts';
import { wait } from './waiting.ts';
import { refuseTypingError } from './typing-error.ts';
import { lastInWords } from './worded.ts';
import { countIn, split } from './words.ts';

export interface SteppingOptions {
  readonly origin: Origin;
  /** The execution to follow, if there is one. */
  readonly recording?: readonly Event[] | undefined;
  /** What appeared in the recording and never happened. */
  readonly undelivered?: readonly Undelivered[] | undefined;
  /** An execution that a hunt has begun, in its session. */
  readonly begun?: BegunExecution | undefined;
  /** The folder for traces that are saved without a name. */
  readonly out: string;
}

/** How results are shown, and how a run is interrupted. */
export interface EnterOptions {
  /** The number of columns. Unlimited by default. */
  readonly width?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface StepAnswer {
  readonly lines: readonly string[];
  /** Whether an event has happened or was taken back. */
  readonly hasMoved: boolean;
  readonly isLeaving: boolean;
}

/** The starts at the beginning were not typed. */
const STARTS: Typed = { text: '' };

/** The maximum number of events shown after a run. */
const SHOWN_MAX = 20;

/** A session in which the user chooses the events: takes commands, returns lines. Knows no terminal. */
export class Stepping {
  readonly track: Track;
  private readonly commands: Commands;
  private readonly recording: LoadedRecording | undefined;
  private readonly made = new Map<Typed, number>();
  /** The waits before each command, and those since the last one. */
  private readonly waits = new Map<Typed, readonly string[]>();
  private waited: string[] = [];
  private savedAt: string;

  private constructor(private readonly options: SteppingOptions) {
    this.commands = new Commands(options.origin.system.commands);
    this.track = new Track(options.origin, options.begun);
    this.recording = options.recording && new LoadedRecording(options.recording, options.undelivered);
    this.savedAt = this.position;
  }

  /** An execution from its beginning, without a recording: the declared processes start first. */
  static async begin(beginning: SteppingOptions): Promise<Stepping> {
    const stepping = new Stepping(beginning);
    if (beginning.recording !== undefined || beginning.begun !== undefined) return stepping;
    const { startsFirst } = beginning.origin.system.plan(beginning.origin.seed);
    const starts = stepping.track.plan
      .slice(0, startsFirst)
      .map((event, at) => ({ event: event as External, workload: at + 1 }));
    await stepping.run({ next: () => starts.shift(), typed: STARTS, stepsMax: startsFirst });
    stepping.savedAt = stepping.position;
    return stepping;
  }

  /** The first lines. */
  opening({ width }: EnterOptions = {}): string[] {
    return [...lastEventLines(this.inWords(this.track.lines), SHOWN_MAX, width), ...endLines(this.track)];
  }

  /** Executes a command, or throws a `CulpritError`; then nothing has happened. */
  async enter(line: string, options: EnterOptions = {}): Promise<StepAnswer> {
    const text = line.trim();
    // Processes that act by themselves did so while the user was thinking.
    await this.track.drive(() => this.track.pause({ ms: 0 }));
    const before = this.position;
    const lines = text === '' || text.startsWith('#') ? [] : await this.execute(text, options);
    return { lines, hasMoved: this.position !== before, isLeaving: this.commands.called(text) === 'quit' };
  }

  /** The events that can happen next: a command is the number of one, from 1. */
  get choices(): readonly Choice[] {
    return choicesOf(this.track, this.recording);
  }

  /** The events that can happen next, in at most this many lines. */
  choiceLines(most = Number.POSITIVE_INFINITY): string[] {
    if (this.track.isOver) return [];
    const { choices } = this;
    return choices.length === 0 ? [] : choiceLines(choices, most);
  }

  complete(line: string): [hits: string[], part: string] {
    return completions(line, this.track, this.commands);
  }

  /** Whether there are events that are neither saved nor in the recording. */
  get isUnsaved(): boolean {
    if (this.position === this.savedAt) return false;
    const { events } = this.track;
    return !events.every((event, at) => {
      const recorded = this.recording?.events[at];
      return recorded !== undefined && hex(recorded) === hex(event);
    });
  }

  async save(path = ''): Promise<string[]> {
    if (this.track.steps.length === 0)
      throw new BadCommand('there is nothing to save yet.', 'Choose an event first: list');
    const saved = await save(this.track, path, this.options.out);
    this.savedAt = this.position;
    const { verdict } = saved.trace;
    const isNews = verdict.verdict === 'violated' && !this.track.isOver;
    return [
      ...(isNews ? [`violated  ${verdict.oracle}: ${verdict.message}, as the execution ends here`] : []),
      ...(verdict.verdict === 'unknown' ? [`unknown   ${verdict.why}`] : []),
      ...savedLines(saved),
    ];
  }

  script(): string[] {
    return scriptLines(this.track.steps, this.made, STARTS, this.waits);
  }

  /** Ends the session: processes that act by themselves must not outlive it. */
  async close(): Promise<void> {
    await this.track.close();
  }

  /** All events with a number. */
  private numbered(): Choice[] {
    return [...this.choices, ...waitingIn(this.track)];
  }

  /** Changes with every event. */
  private get position(): string {
    const { session, events } = this.track;
    return `${events.length} ${hex(session.name())}`;
  }

  private async execute(text: string, options: EnterOptions): Promise<string[]> {
    const [word, rest] = split(text);
    const command = this.isAboutProcess(word, text) ? undefined : this.commands.called(word);
    if (command === undefined) return await this.choose(text, options);
    const own = this.commands.systemCommand(command);
    if (own !== undefined) return await this.ofSystem(own, command, rest, options);
    return await ((await this.inspect(command, rest, options)) ?? this.change(command, rest, options));
  }

  /**
   * A process may have the name of a command: then the exact description of an event means the event. If it has the short name of a
   * command, as `c` for `check`, it means the process.
   */
  private isAboutProcess(word: string, text: string): boolean {
    if (!namesIn(this.track).includes(word)) return false;
    return this.commands.called(word) !== word || this.choices.some((choice) => textOf(choice) === text);
  }

  /** The commands that change nothing. */
  private async inspect(command: string, rest: string, { width }: EnterOptions): Promise<string[] | undefined> {
    const { track } = this;
    switch (command) {
      case 'list':
        return [...this.choiceLines(), ...endLines(track)];
      case 'state':
        return stateLines(rest, track, width);
      case 'event':
        return eventLines(rest, track, width);
      case 'pending':
        return pendingLines(this.numbered());
      case 'story':
        return lastEventLines(this.inWords(track.lines), rest === '' ? Infinity : countIn(rest, command), width);
      case 'past':
        return pastLines(rest, track, width);
      case 'check':
        return [...judgmentLines(await judgments(track)), ...markLines(track)];
      case 'save':
        return await this.save(rest);
      case 'script':
        return this.script();
      case 'help':
        return this.commands.helpLines(rest);
      case 'quit':
        return [];
      default:
        return undefined;
    }
  }

  private async change(command: string, rest: string, options: EnterOptions): Promise<string[]> {
    switch (command) {
      case 'undo':
        return await this.undo(countIn(rest, command), options);
      case 'redo':
        return await this.redo(countIn(rest, command), options);
    }
    this.refuseIfOver();
    switch (command) {
      case 'wait':
        return await this.wait(rest, options);
      case 'run':
        return await this.runRandomly(rest, options);
      case 'next':
        return await this.follow(rest, options);
      default:
        return await this.inject(command, rest, options);
    }
  }

  private refuseIfOver(): void {
    if (!this.track.isOver) return;
    throw new BadCommand(
      `the execution has ended: ${this.track.verdict.kind}.`,
      this.track.canUndo
        ? 'Take the last event back with `undo`, or save a trace with `save`.'
        : 'Save a trace with `save`.',
    );
  }

  private async wait(rest: string, options: EnterOptions): Promise<string[]> {
    const lines = await wait(rest, this.track, options.signal);
    this.waited.push(`wait ${rest}`.trim());
    return [...lines, ...this.choiceLines(), ...endLines(this.track)];
  }

  private async choose(text: string, options: EnterOptions): Promise<string[]> {
    this.refuseIfOver();
    const { choices } = this;
    const waiting = waitingIn(this.track);
    refuseTypingError(text, choices, this.commands.names);
    const chosen = chosenFrom(text, /^\d+$/.test(text) ? [...choices, ...waiting] : choices, 'can happen');
    if (waiting.includes(chosen)) throw new BadCommand(`${textOf(chosen)}: ${chosen.note}.`, 'See `list`.');
    return await this.perform(chosen, { text: nameAmong(chosen, choices) }, options);
  }

  /** A command that the system adds. */
  private async ofSystem(own: StepCommand, command: string, rest: string, options: EnterOptions): Promise<string[]> {
    if ('sameAs' in own) return await this.execute(`${own.sameAs} ${rest}`.trim(), options);
    if ('show' in own) return [...shownBy(own.show, command, rest, this.track)];
    this.refuseIfOver();
    const external = injectedBy(own.inject, command, rest, this.track);
    return await this.injectExternal({ external, text: `${command} ${rest}`.trim() }, options);
  }

  private async inject(command: string, rest: string, options: EnterOptions): Promise<string[]> {
    const injection = injectionOf(command, rest, this.track, this.numbered());
    if (injection === undefined) throw new Error(`no command ${command}`);
    return await this.injectExternal(injection, options);
  }

  private async injectExternal({ external, text }: Injection, options: EnterOptions): Promise<string[]> {
    const why = this.track.session.refusal(external);
    if (why !== undefined)
      throw new BadCommand(`${text} is refused: ${why}.`, '`state` and `pending` show the current state.');
    const own = nextOfWorkload(this.track);
    const isOwn = own !== undefined && isSameExternal(own.event as External, external);
    return await this.perform(isOwn ? own : { event: external }, { text }, options);
  }

  private async perform(move: Move, typed: Typed, options: EnterOptions): Promise<string[]> {
    const moves = [move];
    return this.runLines(await this.run({ next: () => moves.shift(), typed, stepsMax: 1 }), undefined, typed, options);
  }

  private async runRandomly(rest: string, options: EnterOptions): Promise<string[]> {
    const order = parseRun(rest);
    const run = randomRun(order, rest, this.track, options.signal);
    return this.runLines(await this.run(run), order.until, run.typed, options);
  }

  private async follow(rest: string, options: EnterOptions): Promise<string[]> {
    const { recording, track } = this;
    const stepsMax = countIn(rest, 'next');
    if (recording === undefined)
      throw new BadCommand(
        'there is no recording to follow.',
        'Choose an event by number, or start with a trace: culprit step file.trace',
      );
    const typed = { text: `next ${rest}`.trim(), part: (steps: number) => `next ${steps}` };
    const { next, restLine } = (track.canUndo ? followRecording : followWaiting)(recording, track);
    const stop = await this.run({ next, typed, stepsMax, signal: options.signal });
    const lines = this.runLines(stop, undefined, typed, options);
    return stop === 'nothing' ? [...lines, restLine()] : lines;
  }

  private async run(run: Omit<Run, 'eventsMax' | 'signal'> & Partial<Run>): Promise<Stop> {
    const { track } = this;
    const from = track.steps.length;
    if (this.waited.length > 0) this.waits.set(run.typed, this.waited);
    this.waited = [];
    const whole: Run = { eventsMax: Number.POSITIVE_INFINITY, signal: undefined, ...run };
    // If a handler does not return, the run and the execution end.
    const rest = (): Run => ({ ...whole, stepsMax: whole.stepsMax - (track.steps.length - from) });
    const stop = (await track.drive(() => running(track, rest()))) ?? 'verdict';
    if (stop !== 'interrupted') this.made.set(run.typed, track.steps.length - from);
    return stop;
  }

  private runLines(stop: Stop, until: string | undefined, typed: Typed, { width }: EnterOptions): string[] {
    const { track } = this;
    const lines = track.steps.filter((step) => step.typed === typed).flatMap((step) => step.lines);
    return [
      ...lastEventLines(this.inWords(track.lines, lines.length), SHOWN_MAX, width),
      ...stopLines(stop, until, lines.length, this.options.origin.eventsMax, track.canUndo),
      ...endLines(track),
    ];
  }

  /** `undo all` takes back everything that was typed; starts can only be taken back one by one. */
  private async undo(count: number, { width }: EnterOptions): Promise<string[]> {
    mustBeUndoable(this.track);
    const typed = this.track.steps.filter((step) => step.typed !== STARTS).length;
    const taken = await this.track.undo(Number.isFinite(count) ? count : typed);
    if (taken.length === 0) throw new BadCommand('there is no event to take back.', 'See `list`.');
    const lines = taken.flatMap((step) => step.lines);
    const shown = this.inWords([...this.track.lines, ...lines], lines.length);
    return [`undone    ${plural(lines.length, 'event')}`, ...lastEventLines(shown, SHOWN_MAX, width)];
  }

  private async redo(count: number, { width }: EnterOptions): Promise<string[]> {
    mustBeUndoable(this.track);
    const done = await this.track.redo(count);
    if (done.length === 0) throw new BadCommand('there is no event to redo.', 'See `list`.');
    const lines = done.flatMap((step) => step.lines);
    return [...lastEventLines(this.inWords(this.track.lines, lines.length), SHOWN_MAX, width), ...endLines(this.track)];
  }

  /** The last of these events, in the system's own words. */
  private inWords(lines: readonly EventLine[], count = lines.length): EventLine[] {
    return lastInWords(lines, count, this.options.origin);
  }
}
