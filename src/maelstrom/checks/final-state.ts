import type { Oracle, Session } from '../../kernel/ports.ts';
import { Rounds } from '../../kernel/rounds.ts';
import type { World } from '../../kernel/world.ts';
import { hex } from '../../trace/digest.ts';
import { isInternal, type Deliver, type Event } from '../../trace/event.ts';
import { HOLDS, type Unknown, type Verdict } from '../../trace/verdict.ts';
import type { ControlState } from '../control.ts';
import { CONTROL } from '../protocol/names.ts';
import { serviceNames } from '../services/services.ts';
import { bodyOperations, verdictOn, type BodyOperation, type Problem } from './problem.ts';

/** The problem of what the final reads of nodes gave, by node. */
export type FinalCheck = (
  operations: readonly BodyOperation[],
  seen: ReadonlyMap<string, unknown>,
) => Problem | undefined;

/** The oracle's name. */
const ORACLE = 'finalState';

/** So many ticks of the control process are between two reads, and a read takes some rounds: they come after the rounds to agree. */
export const TICKS_PER_READ = 4;
const ROUNDS_TO_READ = 6;

/**
 * Judges the final state of every node. Where culprit controls the nodes, they have a number of fair rounds to agree, after the
 * environment has done its last deed: every message is delivered and every timer fires in each. Only reads that are sent after that
 * count. Otherwise the final reads are made at intervals, and the last ones count, unless a message was in flight from one read to the next: a
 * replay may hold it, and nodes cannot agree before it arrives.
 */
export const finalState = (
  nodes: readonly string[],
  check: FinalCheck,
  /** The number of fair rounds; undefined where culprit does not control the nodes. */
  rounds: number | undefined,
  history?: Oracle,
): Oracle => ({
  judge: () => HOLDS,
  begin: (session) => new FinalStateWatch(session, nodes, check, rounds ?? 0, history),
  ...(rounds === undefined ? {} : { fairRounds: rounds + TICKS_PER_READ + ROUNDS_TO_READ }),
  // The reads at the end of fair rounds may differ between orders, but a state that never gets right is wrong in all of them.
  ignoresOrder: true,
});

class FinalStateWatch implements Oracle {
  /** Rounds since the environment did its last deed. */
  private rounds: Rounds | undefined;
  /** The first read that was sent after the rounds, by its `msg_id`. */
  private firstRead: number | undefined;
  private nextId = 0;
  /** The place of the last call or return before the reads that count; for nodes that culprit does not control, before the reads before. */
  private lastPlace = Number.POSITIVE_INFINITY;
  /** The same before the reads that were made last. */
  private placeAtRead = Number.POSITIVE_INFINITY;
  /** Where culprit does not control the nodes: the messages in flight when they were read last, and one that was in flight before, too. */
  private inFlight: { readonly firstId: number; readonly ids: ReadonlySet<string> } | undefined;
  private held: Deliver | undefined;

  constructor(
    private readonly session: Session,
    private readonly nodes: readonly string[],
    private readonly check: FinalCheck,
    private readonly roundsMax: number,
    /** Judges the history at the end. It knows more about a bug than the final state does, so it speaks first. */
    private readonly history: Oracle | undefined,
  ) {}

  judge(world: World, last: Event | undefined): Verdict {
    const control = stateOf(world);
    if (last === undefined || control?.ticks === undefined) return HOLDS;
    if (!this.session.guarantees.controlled) {
      this.noteHeld(world, control);
      return HOLDS;
    }
    if (this.rounds === undefined || !isInternal(last)) {
      this.rounds = new Rounds(this.session);
      this.firstRead = undefined;
    } else if (this.firstRead === undefined) {
      this.rounds.advance(this.session);
      if (this.rounds.count >= this.roundsMax && control.nextId > this.nextId) {
        this.firstRead = this.nextId;
        this.lastPlace = lastPlaceIn(world);
      }
    }
    this.nextId = control.nextId;
    return this.isRead(world) ? this.verdict(world) : HOLDS;
  }

  /**
   * At each read: a message that was in flight at the read before is held. Nodes may take from one read to the next to pass on what an
   * operation changed.
   */
  private noteHeld(world: World, { firstId, ticks = 0 }: ControlState): void {
    if (ticks === 0 || this.inFlight?.firstId === firstId) return;
    const between = world.pending
      .filter((event) => event.kind === 'deliver')
      .filter((message) => isAmongNodes(this.nodes, message));
    this.held = between.find((message) => this.inFlight?.ids.has(hex(message)));
    this.inFlight = { firstId, ids: new Set(between.map(hex)) };
    this.lastPlace = this.placeAtRead;
    this.placeAtRead = lastPlaceIn(world);
  }

  end(world: World): Verdict {
    if (stateOf(world)?.ticks === undefined) return unfinished('the execution was ended before the final reads');
    const down = this.nodes.find((node) => !world.process(node).up);
    if (down !== undefined) return unfinished(`${down} was down when the execution ended`);
    if (world.cutLinks.length > 0) return unfinished('a link was still cut when the execution ended');
    if (!this.isRead(world)) return this.unread(world);
    if (this.held === undefined) return this.verdict(world);
    return unfinished(`a message from ${this.held.from} to ${this.held.process} was in flight during the final reads`);
  }

  /** Whether every node has been read late enough. */
  private isRead(world: World): boolean {
    const control = stateOf(world);
    if (control === undefined || world.cutLinks.length > 0) return false;
    if (!this.session.guarantees.controlled)
      return control.isOver && this.nodes.every((node) => control.complete[node] !== undefined);
    const first = this.firstRead;
    return first !== undefined && this.nodes.every((node) => (control.complete[node] ?? -1) >= first);
  }

  private unread(world: World): Unknown {
    const { firstRead, rounds, roundsMax } = this;
    const complete = stateOf(world)?.complete ?? {};
    if (this.session.guarantees.controlled && firstRead === undefined) {
      const why = `${rounds?.count ?? 0} of ${roundsMax} fair rounds fit in before the execution was ended`;
      return { kind: 'unknown', why };
    }
    const silent = this.nodes.find((node) => (complete[node] ?? -1) < (firstRead ?? 0));
    return unfinished(`${silent ?? 'a node'} had not answered the final reads when the execution ended`);
  }

  private verdict(world: World): Verdict {
    if (this.history?.end?.(world, false).kind === 'violated') return HOLDS;
    const seen = new Map(this.nodes.map((node) => [node, stateOf(world)?.final[node]]));
    const operations = bodyOperations(world.operations()).map((operation) => this.asRead(operation));
    return verdictOn(ORACLE, this.check(operations, seen));
  }

  /** An operation that was answered after the nodes were read may be in what they answered, or not. */
  private asRead(operation: BodyOperation): BodyOperation {
    const { output: _output, returned = 0, ...open } = operation;
    return returned <= this.lastPlace ? operation : open;
  }
}

/** Whether a message is between nodes, or a node and a service: it may change what nodes know. */
const isAmongNodes = (nodes: readonly string[], { from, process }: Deliver): boolean =>
  [from, process].every((name) => nodes.includes(name) || serviceNames.some((service) => service === name));

const lastPlaceIn = (world: World): number =>
  Math.max(0, ...world.operations().flatMap(({ called, returned = 0 }) => [called, returned]));

const stateOf = (world: World): ControlState | undefined => world.process(CONTROL).state as ControlState | undefined;

const unfinished = (why: string): Unknown => ({ kind: 'unknown', why, isUnfinished: true });
