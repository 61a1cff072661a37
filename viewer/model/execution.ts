import {
  Causality,
  type EventSentence,
  type Header,
  type ShownExecution,
  type Trace,
  type VerdictLine,
  relevanceOf,
} from 'culprit/trace';
import { ArrowIndex } from './arrow-index.ts';
import { arrowsOf, type Arrow } from './arrows.ts';
import { lanesOf } from './lanes.ts';
import { Lives } from './lives.ts';
import { States } from './states.ts';
import { ShownTopology } from './topology/shown-topology.ts';

/** The relation of an event to the one at the cursor. */
export type Standing = 'past' | 'self' | 'future' | 'concurrent';

/** A message that never arrived. */
interface Undelivered {
  /** The event that sent it; NONE if it is unknown. */
  readonly sentBy: number;
  /** What would have happened. */
  readonly what: string;
}

/** One execution, prepared for drawing. Events are named by their index. */
export class Execution {
  readonly file: string;
  readonly header: Header;
  readonly events: Trace['events'];
  readonly verdict: VerdictLine;
  readonly sentences: readonly EventSentence[];
  readonly lanes: readonly string[];
  readonly lives: Lives;
  readonly arrows: ArrowIndex;
  readonly states: States;
  /** Marks of the events that may have led to the violation, if there is one. */
  readonly relevance: Uint8Array | undefined;
  /** The messages that were still under way at the end. */
  readonly undelivered: readonly Undelivered[];
  private readonly causality: Causality;
  private readonly trace: Trace;
  private readonly pendingSentences: readonly string[];
  private shownTopology: ShownTopology | undefined;
  private searchTexts: readonly string[] | undefined;

  constructor({ file, trace, sentences, undelivered }: ShownExecution) {
    this.file = file;
    this.trace = trace;
    this.header = trace.header;
    this.events = trace.events;
    this.verdict = trace.verdict;
    this.sentences = sentences;
    this.lanes = lanesOf(trace);
    this.lives = new Lives(this.lanes, trace.events);
    this.arrows = new ArrowIndex(arrowsOf(trace));
    this.states = new States(trace.events);
    this.causality = new Causality(trace.events.map(({ process, cause }) => ({ process, cause: cause - 1 })));
    this.relevance = relevanceOf(trace, this.causality);
    this.undelivered = trace.pending.flatMap(({ kind, cause }, at) =>
      kind === 'deliver' ? { sentBy: cause - 1, what: undelivered[at] ?? '' } : [],
    );
    this.pendingSentences = undelivered;
  }

  /** The event at which the violation exists. */
  get violation(): number | undefined {
    return this.verdict.verdict === 'violated' ? this.events.length - 1 : undefined;
  }

  /** The processes that the violation is about. */
  get witnesses(): readonly string[] {
    return this.verdict.verdict === 'violated' ? this.verdict.processes : [];
  }

  /** Undefined for a system without one. */
  get topology(): ShownTopology | undefined {
    const { topology } = this.header;
    if (topology !== undefined) this.shownTopology ??= new ShownTopology(topology, this.trace);
    return this.shownTopology;
  }

  /** The relation of every event to this one. Before the violation is what happened before any of its witnesses. */
  standings(event: number): Standing[] {
    const standings = Array.from<Standing>({ length: this.events.length }).fill('concurrent');
    for (const before of this.pastOf(event)) standings[before] = 'past';
    for (const after of this.causality.future(event)) standings[after] = 'future';
    standings[event] = 'self';
    return standings;
  }

  private pastOf(event: number): number[] {
    const { relevance } = this;
    if (event !== this.violation || relevance === undefined) return this.causality.past(event);
    return [...relevance.keys()].filter((at) => relevance[at] === 1);
  }

  /** A message in words: what it does, and what became of it. */
  messageWords({ from, to, sender, receiver, fate, pending }: Arrow): string {
    const [sent, arrived] = [from + 1, to + 1].map((event) => event.toLocaleString('en'));
    const { what = '' } = this.sentences[to] ?? {};
    if (pending !== undefined) return `${this.pendingSentences[pending] ?? ''}: never delivered, sent in event ${sent}`;
    if (fate === 'lost') return `${sender ?? 'a message'} → ${receiver}: lost in event ${arrived} (${what})`;
    return `${this.events[to]?.process} ${what}: event ${arrived}, sent in event ${sent}`;
  }

  /** The direct effects of an event. */
  effectsOf(event: number): number[] {
    const { events } = this;
    const effects: number[] = [];
    for (let at = event + 1; at < events.length; at++) if (events[at]?.cause === event + 1) effects.push(at);
    return effects;
  }

  /** The text that a search matches, in lower case. */
  get searched(): readonly string[] {
    this.searchTexts ??= this.events.map(({ event, process }, at) => {
      const { what, changes } = this.sentences[at] ?? { what: '', changes: [] };
      return `${event} ${process} ${what} ${changes.join(' ')}`.toLowerCase();
    });
    return this.searchTexts;
  }
}
