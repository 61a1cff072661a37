import * as v from 'valibot';
import { CulpritError } from '../error.ts';
import { ENVIRONMENT } from './event.ts';
import {
  data,
  eventSchema,
  FORMAT,
  headerSchema,
  parameter,
  pendingSchema,
  verdictSchema,
  type EventLine,
  type Header,
  type PendingLine,
  type Trace,
  type VerdictLine,
} from './format.ts';
import { setOwn } from './plain-data.ts';
import { topologyFlaw } from './topology.ts';
import { LineSizes, moreThan, traceLimits, type TraceLimit } from './limits.ts';

/** A file that is not a complete trace of a supported version. */
export class BadTrace extends CulpritError {
  readonly code = 'BAD_TRACE';
}

export const formatVersion = (): string => `${FORMAT.major}.${FORMAT.minor}`;

/** The last format in which the digest of a state was that of its text. */
export const LAST_WITH_TEXT_DIGESTS = '1.7';

/** Whether the digests of states in a trace are those of texts: see `state-digest.ts`. */
export const hasTextDigests = ({ format }: Header): boolean =>
  Number(format.split('.')[1]) <= Number(LAST_WITH_TEXT_DIGESTS.split('.')[1]);

/** The text of a trace file: one line per item, so that `diff` can compare two files. */
export function writeTrace({ header, events, pending, verdict }: Trace): string {
  return [header, ...events, ...pending, verdict].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/**
 * Reads the output of `writeTrace` and refuses everything else: all commands can rely on an accepted trace. `file` is
 * its name in messages.
 */
export function readTrace(text: string, file: string): Trace {
  if (text.length > traceLimits.bytes) throw tooLarge(file, 'bytes');
  return new TraceReader(file, linesOf(text, file)).trace();
}

/** A file that exceeds a limit. */
export const tooLarge = (file: string, limit: TraceLimit): BadTrace =>
  new BadTrace(
    `${file} has ${moreThan(limit)}.`,
    'culprit does not read larger traces: make a shorter one, with fewer --events.',
  );

/** Counts lines before splitting: a file of newlines only would need far more memory than its text. */
function linesOf(text: string, file: string): string[] {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  if (count > traceLimits.events + traceLimits.pending + 2) throw tooLarge(file, 'events');
  return text.split('\n');
}

/** Reads one file. */
class TraceReader {
  private readonly sizes = new LineSizes();
  private readonly consistency = new Consistency();

  constructor(
    private readonly file: string,
    private readonly lines: string[],
  ) {}

  trace(): Trace {
    const { file, lines } = this;
    const header = this.header();
    // Every line ends with a newline, the last one too: this detects a file that was cut within a line.
    if (lines.pop() !== '') throw truncated(file, lines.length);
    if (header.events > traceLimits.events) throw tooLarge(file, 'events');
    const [afterEvents, last] = [header.events + 1, lines.length - 1];
    if (afterEvents > last) throw truncated(file, lines.length);
    if (last - afterEvents > traceLimits.pending) throw tooLarge(file, 'pending');
    const events = lines.slice(1, afterEvents).map((_, at) => this.event(at + 1));
    const pending = lines.slice(afterEvents, last).map((_, at) => this.pending(afterEvents + at, header.events));
    return { header, events, pending, verdict: this.verdict(last) };
  }

  private verdict(at: number): VerdictLine {
    const verdict = this.line(at, verdictSchema) as VerdictLine;
    if (verdict.verdict !== 'violated' || verdict.values === undefined) return verdict;
    const { values } = JSON.parse(this.lines[at] as string) as { readonly values: object };
    return { ...verdict, values: this.withEveryName(values, verdict.values, data, at) };
  }

  /** A record of valibot leaves out three names without a word, but values and parameters may have any name. */
  private withEveryName<T>(found: object, read: Readonly<Record<string, T>>, schema: v.GenericSchema, at: number) {
    const all: Record<string, T> = {};
    for (const [name, value] of Object.entries(found)) {
      const isRead = Object.hasOwn(read, name);
      setOwn(all, name, isRead ? read[name] : checked(value, schema, `${this.file}, ${name}`, at + 1));
    }
    return all;
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

  private mustFit(at: number, found: Inconsistency | undefined): void {
    if (found !== undefined) throw new BadTrace(`${this.file}, line ${at + 1}, ${found.field} ${found.what}.`, NEXT);
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
    const header = checked(found, headerSchema, file, 1) as Header;
    const flaw = header.topology && topologyFlaw(header.topology);
    if (flaw !== undefined)
      throw new BadTrace(`${file}, line 1, topology.${flaw.path} is ${shown(flaw.name)}, ${flaw.what}.`, NEXT);
    const parameters = this.withEveryName(found['parameters'] as object, header.parameters, parameter, 0);
    return { ...header, parameters };
  }
}

/** A field of a line that contradicts other lines. */
interface Inconsistency {
  readonly field: string;
  readonly what: string;
}

/**
 * Rules that concern several lines: events are numbered from 1 in the order of the file, a cause comes before its
 * effect, and the number of processes is limited. Algorithms rely on them: following causes must terminate.
 */
class Consistency {
  private readonly processes = new Set<string>();

  /** Checks the next event, which should have this number. */
  event(line: EventLine, number: number): Inconsistency | undefined {
    if (line.event !== number) return { field: 'event', what: `is ${line.event}, where event ${number} comes next` };
    const at = line.dropped?.findIndex(({ cause = 0 }) => cause >= number) ?? -1;
    if (at >= 0)
      return {
        field: `dropped.${at}.cause`,
        what: `is ${line.dropped?.[at]?.cause}, which is not earlier than event ${number}`,
      };
    return causeOf(line, number) ?? fateOfNone(line) ?? this.process(line);
  }

  /** Checks an event that was pending after this many events. */
  pending(line: PendingLine, events: number): Inconsistency | undefined {
    return causeOf(line, events + 1) ?? this.process(line);
  }

  private process({ process }: { readonly process: string }): Inconsistency | undefined {
    this.processes.add(process);
    return this.processes.size > traceLimits.processes
      ? { field: 'process', what: `is one too many: the file has ${moreThan('processes')}` }
      : undefined;
  }
}

/** Events that begin, end or pause the life of a process. */
const FATES: ReadonlySet<string> = new Set(['start', 'stop', 'crash', 'restart', 'pause', 'resume']);

const fateOfNone = ({ kind, process }: EventLine): Inconsistency | undefined =>
  FATES.has(kind) && process === ENVIRONMENT
    ? { field: 'process', what: `is ${ENVIRONMENT}, which no process is called` }
    : undefined;

const causeOf = ({ cause }: { readonly cause: number }, number: number): Inconsistency | undefined =>
  cause < number ? undefined : { field: 'cause', what: `is ${cause}, which is not earlier than event ${number}` };

const isHeader = (found: unknown): found is Record<string, unknown> =>
  typeof found === 'object' && found !== null && 'trace' in found && found.trace === 'culprit';

const isVerdict = (found: unknown): boolean =>
  typeof found === 'object' && found !== null && 'verdict' in found && 'ending' in found;

/** Newer minor versions read older files, but not vice versa. */
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

/** Longer pieces of a file are shortened in messages. */
const SHOWN_MAX = 200;

/** A piece of the file, shortened and escaped so that a message stays on one line. */
const shown = (text: string): string =>
  (text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX - 1)}…`).replaceAll(
    /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu,
    (sign) => `\\u${(sign.codePointAt(0) as number).toString(16).padStart(4, '0')}`,
  );

const truncated = (file: string, lines: number): BadTrace =>
  new BadTrace(`${file} ends after ${lines} whole lines, before its verdict: the file is truncated.`, NEXT);

const WHAT_IT_IS = 'A trace is what `culprit hunt` saves, such as .culprit/….trace.';
const NEXT = 'The file is damaged: copy it again from its source, or hunt again with its seed.';
