import * as v from 'valibot';
import { CulpritError } from '../error.ts';
import { Consistency, type Misfit } from './consistency.ts';
import {
  eventSchema,
  FORMAT,
  headerSchema,
  pendingSchema,
  verdictSchema,
  type EventLine,
  type Header,
  type PendingLine,
  type Trace,
  type VerdictLine,
} from './format.ts';
import { LineSizes } from './line-size.ts';
import { moreThan, traceLimits, type TraceLimit } from './limits.ts';

/** A file that is not a whole trace of a version we read. */
export class BadTrace extends CulpritError {
  readonly code = 'BAD_TRACE';
}

export const formatVersion = (): string => `${FORMAT.major}.${FORMAT.minor}`;

/** The text of a trace file: one line for each thing, so that two files can be compared with `diff`. */
export function writeTrace({ header, events, pending, verdict }: Trace): string {
  return [header, ...events, ...pending, verdict].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads what `writeTrace` wrote, and nothing else: what it lets through, all commands can work with. `file` is its name, for messages. */
export function readTrace(text: string, file: string): Trace {
  if (text.length > traceLimits.bytes) throw tooLarge(file, 'bytes');
  return new Reading(file, linesOf(text, file)).trace();
}

/** A file with too much of something. */
export const tooLarge = (file: string, limit: TraceLimit): BadTrace =>
  new BadTrace(
    `${file} has ${moreThan(limit)}.`,
    'culprit does not read larger traces: make a shorter one, with fewer --events.',
  );

/** Counted first: a file of nothing but ends of lines would become more text than it has. */
function linesOf(text: string, file: string): string[] {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  if (count > traceLimits.events + traceLimits.pending + 2) throw tooLarge(file, 'events');
  return text.split('\n');
}

/** A file that is being read. */
class Reading {
  private readonly sizes = new LineSizes();
  private readonly consistency = new Consistency();

  constructor(
    private readonly file: string,
    private readonly lines: string[],
  ) {}

  trace(): Trace {
    const { file, lines } = this;
    const header = this.header();
    // Every line ends with a newline, the last one too: a file cut in the middle of a line shows.
    if (lines.pop() !== '') throw truncated(file, lines.length);
    if (header.events > traceLimits.events) throw tooLarge(file, 'events');
    const [afterEvents, last] = [header.events + 1, lines.length - 1];
    if (afterEvents > last) throw truncated(file, lines.length);
    if (last - afterEvents > traceLimits.pending) throw tooLarge(file, 'pending');
    const events = lines.slice(1, afterEvents).map((_, at) => this.event(at + 1));
    const pending = lines.slice(afterEvents, last).map((_, at) => this.pending(afterEvents + at, header.events));
    return { header, events, pending, verdict: this.line(last, verdictSchema) as VerdictLine };
  }

  private event(at: number): EventLine {
    const line = this.line(at, eventSchema) as EventLine;
    this.mustFit(at, this.consistency.event(line, at));
    return line;
  }

  private pending(at: number, events: number): PendingLine {
    const line = this.line(at, pendingSchema) as PendingLine;
    this.mustFit(at, this.consistency.pending(line, events));
    return line;
  }

  private mustFit(at: number, misfit: Misfit | undefined): void {
    if (misfit !== undefined) throw new BadTrace(`${this.file}, line ${at + 1}, ${misfit.field} ${misfit.what}.`, NEXT);
  }

  private line(at: number, schema: v.GenericSchema): unknown {
    const found = this.parsed(at);
    const part = isHeader(found) ? 'another header' : isVerdict(found) ? 'a verdict' : undefined;
    if (part !== undefined && schema !== verdictSchema)
      throw new BadTrace(
        `${this.file}, line ${at + 1} is ${part}, and more lines follow: a file holds one trace.`,
        NEXT,
      );
    return checked(found, schema, this.file, at + 1);
  }

  private parsed(at: number): unknown {
    const found = parse(this.lines[at], this.file, at + 1);
    const tooMuch = this.sizes.tooMuchIn(found);
    if (tooMuch !== undefined) throw new BadTrace(`${this.file}, line ${at + 1}: ${tooMuch}.`, NEXT);
    return found;
  }

  private header(): Header {
    const { file } = this;
    const found = this.parsed(0);
    if (!isHeader(found)) throw new BadTrace(`${file} is not a culprit trace.`, WHAT_IT_IS);
    checkVersion(found['format'], file);
    return checked(found, headerSchema, file, 1) as Header;
  }
}

const isHeader = (found: unknown): found is Record<string, unknown> =>
  typeof found === 'object' && found !== null && 'trace' in found && found.trace === 'culprit';

const isVerdict = (found: unknown): boolean =>
  typeof found === 'object' && found !== null && 'verdict' in found && 'ending' in found;

/** Newer minor versions read older files, not the other way round. */
function checkVersion(found: unknown, file: string): void {
  const format = typeof found === 'string' ? shown(found) : shown(JSON.stringify(found) ?? 'undefined');
  const [major = Number.NaN, minor = Number.NaN] = format.split('.').map(Number);
  if (major === FORMAT.major && minor <= FORMAT.minor) return;
  const next =
    major < FORMAT.major
      ? 'Hunt again with this culprit to make a new trace.'
      : 'Install a newer culprit: npm install culprit@latest';
  throw new BadTrace(
    `${file} has the format ${format}; this culprit reads ${FORMAT.major}.0 to ${formatVersion()}.`,
    next,
  );
}

function parse(line: string | undefined, file: string, at: number): unknown {
  if (line === undefined || line.trim() === '') {
    if (at === 1) throw new BadTrace(`${file} is empty.`, NEXT);
    throw truncated(file, at);
  }
  try {
    return JSON.parse(line);
  } catch (error) {
    const why = shown(error instanceof Error ? error.message : String(error));
    throw new BadTrace(`${file}, line ${at} is not JSON: ${why}.`, at === 1 ? WHAT_IT_IS : NEXT);
  }
}

function checked(value: unknown, schema: v.GenericSchema, file: string, at: number): unknown {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const issue = result.issues[0];
  const path = v.getDotPath(issue);
  const field = path === null ? '' : `, ${shown(path)}`;
  throw new BadTrace(`${file}, line ${at}${field}: ${shown(issue.message)}.`, NEXT);
}

/** Longer pieces of a file are cut in messages. */
const SHOWN_MAX = 200;

/** A piece of the file, so that a message stays one line. */
const shown = (text: string): string =>
  (text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX - 1)}…`).replaceAll(
    /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu,
    (sign) => `\\u${(sign.codePointAt(0) as number).toString(16).padStart(4, '0')}`,
  );

const truncated = (file: string, lines: number): BadTrace =>
  new BadTrace(`${file} ends after ${lines} whole lines, before its verdict: the file is truncated.`, NEXT);

const WHAT_IT_IS = 'A trace is what `culprit hunt` saves, such as .culprit/….trace.';
const NEXT = 'The file is damaged: copy it again from its source, or hunt again with its seed.';
