import { hex } from '../trace/digest.ts';
import type { Event, External } from '../trace/event.ts';
import { plural } from '../text/plural.ts';
import type { Origin } from '../execution/record.ts';
import { BadCommand } from './bad-command.ts';
import { along } from './recorded.ts';
import { runByChance } from './random-run.ts';
import { choicesOf, nextOfWorkload, waitingIn, type Choice } from './choices.ts';
import { commandCalled, helpLines } from './commands.ts';
import { completions } from './completion.ts';
import { injectionOf } from './injections.ts';
import { choiceLines, eventLines, pastLines, pendingLines, stateLines, toldLines } from './inspections.ts';
import { judgmentLines, judgments, markLines } from './judgments.ts';
import { meant, nameAmong } from './matching.ts';
import { namesIn } from './names.ts';
import { endLines, stopLines } from './outcome.ts';
import { identitiesOf, isSameExternal, LoadedRecording } from './recorded.ts';
import { runOrder } from './random-run.ts';
import { running, type Run, type Stop } from './running.ts';
import { save, savedLines } from './saving.ts';
import { scriptLines } from './saving.ts';
import { textOf } from './describe.ts';
import { Track, type Move, type Typed } from './track.ts';
import { countIn, split } from './words.ts';

export interface StepStart {
  readonly origin: Origin;
  /** The execution to follow, if there is one. */
  readonly recording?: readonly Event[] | undefined;
  /** The folder for traces that are saved without a name. */
  readonly out: string;
}

/** How results are shown, and how a run is interrupted. */
export interface Manner {
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
const TOLD_MAX = 20;

/** A session in which the user chooses the events: takes commands, returns lines. Knows no terminal. */
export class Stepping {
  readonly track: Track;
  private readonly recording: LoadedRecording | undefined;
  private readonly made = new Map<Typed, number>();
  private savedAt: string;

  private constructor(private readonly beginning: StepStart) {
    this.track = new Track(beginning.origin);
    this.recording = beginning.recording && new LoadedRecording(beginning.recording);
    this.savedAt = this.position;
  }

  /** Without a recording, the declared processes start first. */
  static async begin(beginning: StepStart): Promise<Stepping> {
    const stepping = new Stepping(beginning);
    if (beginning.recording !== undefined) return stepping;
    const { startsFirst } = beginning.origin.system.plan(beginning.origin.seed);
    const starts = stepping.track.plan
      .slice(0, startsFirst)
      .map((event, at) => ({ event: event as External, workload: at + 1 }));
    await stepping.run({ next: () => starts.shift(), typed: STARTS, stepsMax: startsFirst });
    stepping.savedAt = stepping.position;
    return stepping;
  }

  /** The first lines. */
  opening({ width }: Manner = {}): string[] {
    const { lines } = this.track;
    return [...toldLines(lines, TOLD_MAX, width), ...endLines(this.track)];
  }

  /** Executes a command, or throws a `CulpritError`; then nothing has happened. */
  async enter(line: string, manner: Manner = {}): Promise<StepAnswer> {
    const text = line.trim();
    const before = this.position;
    const lines = text === '' || text.startsWith('#') ? [] : await this.obey(text, manner);
    return { lines, hasMoved: this.position !== before, isLeaving: commandCalled(text) === 'quit' };
  }

  /** The events that can happen next, in at most this many lines. */
  choiceLines(most = Number.POSITIVE_INFINITY): string[] {
    if (this.track.isOver) return [];
    const choices = this.choices();
    return choices.length === 0 ? [] : choiceLines(choices, most);
  }

  complete(line: string): [hits: string[], part: string] {
    return completions(line, this.track);
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
    const saved = await save(this.track, path, this.beginning.out);
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
    return scriptLines(this.track.steps, this.made, STARTS);
  }

  private choices(): Choice[] {
    return choicesOf(this.track, this.recording);
  }

  /** All events with a number. */
  private numbered(): Choice[] {
    return [...this.choices(), ...waitingIn(this.track)];
  }

  /** Changes with every event. */
  private get position(): string {
    const { session, events } = this.track;
    return `${events.length} ${hex(session.name())}`;
  }

  private async obey(text: string, manner: Manner): Promise<string[]> {
    const [word, rest] = split(text);
    const command = this.isTold(word, text) ? undefined : commandCalled(word);
    if (command === undefined) return await this.choose(text, manner);
    return await ((await this.looked(command, rest, manner)) ?? this.moved(command, rest, manner));
  }

  /** A process may have the name of a command: the exact description of an event means the event. */
  private isTold(word: string, text: string): boolean {
    return namesIn(this.track).includes(word) && this.choices().some((choice) => textOf(choice) === text);
  }

  /** The commands that change nothing. */
  private async looked(command: string, rest: string, { width }: Manner): Promise<string[] | undefined> {
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
        return toldLines(track.lines, rest === '' ? Number.POSITIVE_INFINITY : countIn(rest, command), width);
      case 'past':
        return pastLines(rest, track, width);
      case 'check':
        return [...judgmentLines(await judgments(track)), ...markLines(track)];
      case 'save':
        return await this.save(rest);
      case 'script':
        return this.script();
      case 'help':
        return helpLines(rest);
      case 'quit':
        return [];
      default:
        return undefined;
    }
  }

  private async moved(command: string, rest: string, manner: Manner): Promise<string[]> {
    switch (command) {
      case 'undo':
        return await this.undo(countIn(rest, command), manner);
      case 'redo':
        return await this.redo(countIn(rest, command), manner);
    }
    this.refuseIfOver();
    switch (command) {
      case 'run':
        return await this.runByChance(rest, manner);
      case 'next':
        return await this.follow(rest, manner);
      default:
        return await this.inject(command, rest, manner);
    }
  }

  private refuseIfOver(): void {
    if (!this.track.isOver) return;
    throw new BadCommand(
      `the execution has ended: ${this.track.verdict.kind}.`,
      'Take the last event back with `undo`, or save a trace with `save`.',
    );
  }

  private async choose(text: string, manner: Manner): Promise<string[]> {
    this.refuseIfOver();
    const choices = this.choices();
    const waiting = waitingIn(this.track);
    const chosen = meant(text, /^\d+$/.test(text) ? [...choices, ...waiting] : choices, 'can happen');
    if (waiting.includes(chosen)) throw new BadCommand(`${textOf(chosen)}: ${chosen.note}.`, 'See `list`.');
    return await this.once(chosen, { text: nameAmong(chosen, choices) }, manner);
  }

  private async inject(command: string, rest: string, manner: Manner): Promise<string[]> {
    const injection = injectionOf(command, rest, this.track, this.numbered());
    if (injection === undefined) throw new Error(`no command ${command}`);
    const { external, text } = injection;
    const why = this.track.session.refusal(external);
    if (why !== undefined)
      throw new BadCommand(`${text} is refused: ${why}.`, '`state` and `pending` show the current state.');
    const own = nextOfWorkload(this.track);
    const isOwn = own !== undefined && isSameExternal(own.event as External, external);
    return await this.once(isOwn ? own : { event: external }, { text }, manner);
  }

  private async once(move: Move, typed: Typed, manner: Manner): Promise<string[]> {
    const moves = [move];
    return this.tellRun(await this.run({ next: () => moves.shift(), typed, stepsMax: 1 }), undefined, typed, manner);
  }

  private async runByChance(rest: string, manner: Manner): Promise<string[]> {
    const order = runOrder(rest);
    const run = runByChance(order, rest, this.track, manner.signal);
    return this.tellRun(await this.run(run), order.until, run.typed, manner);
  }

  private async follow(rest: string, manner: Manner): Promise<string[]> {
    const { recording, track } = this;
    const stepsMax = countIn(rest, 'next');
    if (recording === undefined)
      throw new BadCommand(
        'there is no recording to follow.',
        'Choose an event by number, or start with a trace: culprit step file.trace',
      );
    const typed = { text: `next ${rest}`.trim(), part: (steps: number) => `next ${steps}` };
    const stop = await this.run({ next: along(recording, track), typed, stepsMax, signal: manner.signal });
    const told = this.tellRun(stop, undefined, typed, manner);
    return stop === 'nothing' ? [...told, recording.restLine(identitiesOf(track.events))] : told;
  }

  private async run(run: Omit<Run, 'eventsMax' | 'signal'> & Partial<Run>): Promise<Stop> {
    const { track } = this;
    const from = track.steps.length;
    const whole: Run = { eventsMax: Number.POSITIVE_INFINITY, signal: undefined, ...run };
    // If a handler does not return, the run and the execution end.
    const rest = (): Run => ({ ...whole, stepsMax: whole.stepsMax - (track.steps.length - from) });
    const stop = (await track.drive(() => running(track, rest()))) ?? 'verdict';
    if (stop !== 'interrupted') this.made.set(run.typed, track.steps.length - from);
    return stop;
  }

  private tellRun(stop: Stop, until: string | undefined, typed: Typed, { width }: Manner): string[] {
    const { track } = this;
    const lines = track.steps.filter((step) => step.typed === typed).flatMap((step) => step.lines);
    return [
      ...toldLines(lines, TOLD_MAX, width),
      ...stopLines(stop, until, lines.length, this.beginning.origin.eventsMax),
      ...endLines(track),
    ];
  }

  /** `undo all` takes back everything that was typed; starts can only be taken back one by one. */
  private async undo(count: number, { width }: Manner): Promise<string[]> {
    const typed = this.track.steps.filter((step) => step.typed !== STARTS).length;
    const taken = await this.track.undo(Number.isFinite(count) ? count : typed);
    if (taken.length === 0) throw new BadCommand('there is no event to take back.', 'See `list`.');
    const lines = taken.flatMap((step) => step.lines);
    return [`undone    ${plural(lines.length, 'event')}`, ...toldLines(lines, TOLD_MAX, width)];
  }

  private async redo(count: number, { width }: Manner): Promise<string[]> {
    const done = await this.track.redo(count);
    if (done.length === 0) throw new BadCommand('there is no event to redo.', 'See `list`.');
    const lines = done.flatMap((step) => step.lines);
    return [...toldLines(lines, TOLD_MAX, width), ...endLines(this.track)];
  }
}
