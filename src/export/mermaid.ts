import { ENVIRONMENT } from '../trace/event.ts';
import type { EventLine, PendingLine, Trace } from '../trace/format.ts';
import { printable } from '../text/printable.ts';
import { effectText, label, nameOf, onLane, seen, sentenceOf } from '../explain/story.ts';

/**
 * A sequence diagram for Mermaid. A message is drawn where it arrives; undelivered messages are drawn at the end. A
 * send of the environment is not drawn, because its arrival shows it.
 */
export function mermaid({ events, pending, verdict }: Trace): string {
  const cast = new Participants(events, pending);
  const lines = [
    'sequenceDiagram',
    ...cast.introduced,
    ...events.flatMap((event) => linesOf(event, cast)),
    ...pending.flatMap((event) => undelivered(event, cast)),
    ...(verdict.verdict === 'violated'
      ? [`Note over ${cast.all}: ${text(`violated ${verdict.oracle}: ${verdict.message}`)}`]
      : []),
  ];
  return `${lines.join('\n  ')}\n`;
}

/** The participants under short names of our own, because names of processes may contain any character. */
class Participants {
  private readonly names: readonly string[];
  private readonly places: ReadonlyMap<string, number>;

  constructor(events: readonly EventLine[], pending: readonly PendingLine[]) {
    const named = [...events, ...pending].flatMap((line) => [
      line.process,
      ...(line.kind === 'deliver' ? [line.from] : []),
      ...(line.kind === 'return' ? [line.to] : []),
    ]);
    // Mermaid refuses a diagram without participants.
    const everybody = new Set(named.length === 0 ? [ENVIRONMENT] : named);
    this.names = [...everybody]
      .filter((name) => name !== ENVIRONMENT)
      .concat(everybody.has(ENVIRONMENT) ? ENVIRONMENT : []);
    this.places = new Map(this.names.map((name, place) => [name, place]));
  }

  get introduced(): string[] {
    return this.names.map((name) => `participant ${this.nameOf(name)} as ${text(name)}`);
  }

  get all(): string {
    return this.names.length === 1 ? 'p0' : `p0,p${this.names.length - 1}`;
  }

  nameOf(process: string): string {
    return `p${this.places.get(process)}`;
  }
}

function linesOf(line: EventLine, cast: Participants): string[] {
  const { event, what } = sentenceOf(line);
  const here = cast.nameOf(line.process);
  const changes = effectText(line);
  const observed = (line.observed ?? []).map(
    (entry) => `Note over ${cast.nameOf(entry.process)}: ${text(`observed ${seen(entry)}`)}`,
  );
  const changed = changes === '' ? [] : [`Note right of ${here}: ${text(changes)}`];
  if (line.kind === 'send') return observed;
  if (line.kind === 'deliver') {
    const arrow = line.reply === undefined ? '->>' : '-->>';
    return [
      `${cast.nameOf(line.from)}${arrow}${here}: ${event} ${text((line.label ?? nameOf(line)) + onLane(line.lane))}`,
      ...changed,
      ...observed,
    ];
  }
  const where = line.process === ENVIRONMENT ? cast.all : here;
  return [`Note over ${where}: ${event} ${text(what)}`, ...changed];
}

const undelivered = (line: PendingLine, cast: Participants): string[] =>
  line.kind === 'deliver'
    ? [
        `${cast.nameOf(line.from)}--x${cast.nameOf(line.process)}: ${text(label(line.message) + onLane(line.lane))}, not delivered`,
      ]
    : [];

/**
 * Mermaid ends a line at a semicolon, begins a comment at two percent signs, and reads # as the start of an entity.
 * After the words style and classDef it drops the end of an entity. A prefix such as `wrap:` has a meaning, and the
 * text must not be empty.
 */
const text = (said: string): string =>
  printable(said)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[#;%<>]|^(?=(?:no)?wrap:).|s(?=tyle)|c(?=lassDef)/g, (sign) => `#${sign.codePointAt(0)};`) || '#160;';
