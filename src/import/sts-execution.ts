import { writeDown, type Origin } from '../execution/record.ts';
import { HANDLER_MS } from '../kernel/drive.ts';
import type { Session, Strategy } from '../kernel/ports.ts';
import { channelDigest } from '../kernel/uncontrolled/identity.ts';
import { networkFingerprint } from '../networks/fingerprint/fingerprint.ts';
import { mockController } from '../networks/mock/mock-controller.ts';
import { FIRST, type RecordedController } from '../networks/mock/recorded-messages.ts';
import { defineNetwork } from '../networks/network/define-network.ts';
import type { StsSchedule, WantedEvent } from '../networks/sts/sts-schedule.ts';
import type { Topology } from '../networks/topology/topology.ts';
import { LenientReplay, unknownTargets } from '../schedule/replay/lenient-replay.ts';
import { Matcher } from '../schedule/replay/match.ts';
import { resolveSystem } from '../system/resolve.ts';
import { hex } from '../trace/digest.ts';
import { isInternal, type Event, type Internal } from '../trace/event.ts';
import type { Trace } from '../trace/format.ts';

/** The events of STS as our switches execute them. */
export interface StsExecution {
  readonly trace: Trace;
  /** By index of an event: the wanted one that it is. Those that follow from others are none. */
  readonly places: ReadonlyMap<number, number>;
  /** Indices of wanted events that could not happen. */
  readonly missed: readonly number[];
}

const fingerprint = networkFingerprint();

/**
 * Executes the inputs and messages of STS on our switches: mocks say what controllers said. So the trace has what STS does not write: what switches do
 * between its events, and their states.
 */
export async function executeSts(topology: Topology, schedule: StsSchedule): Promise<StsExecution> {
  const system = defineNetwork({
    topology,
    controllers: Object.fromEntries(
      schedule.controllers.map((name) => [name, mockController(saidBy(name, schedule.wanted))]),
    ),
    migrations: true,
    // In STS frames may overtake.
    reorder: true,
    channelCuts: true,
    faults: { losses: schedule.wanted.length, partitions: schedule.wanted.length },
    timers: { skewMs: 0 },
    stations: { arp: false },
  });
  const origin: Origin = {
    system: resolveSystem(system),
    module: undefined,
    seed: 0,
    strategy: 'sts',
    eventsMax: schedule.wanted.length,
    handlerMs: HANDLER_MS,
  };
  let strategy = new StsStrategy(schedule);
  const trace = await writeDown(origin, () => (strategy = new StsStrategy(schedule)), Number.POSITIVE_INFINITY);
  const { places, missed } = strategy.replay;
  return { trace, places, missed };
}

/** What a controller says in each of its lives. Connections need not be told apart: the schedule says when each message arrives. */
function saidBy(name: string, wanted: readonly WantedEvent[]): RecordedController {
  const lives = [new Map<string, Map<number, unknown[]>>()];
  for (const { event } of wanted) {
    if (event.kind === 'restart' && event.process === name) lives.push(new Map());
    if (event.kind !== 'deliver' || event.from !== name) continue;
    const life = lives.at(-1) as (typeof lives)[number];
    const said = life.get(event.process) ?? new Map<number, unknown[]>([[FIRST, []]]);
    life.set(event.process, said);
    said.get(FIRST)?.push(event.message);
  }
  return lives;
}

/** Follows the wanted events. What switches do by themselves happens at once, unless it is wanted later. */
class StsStrategy implements Strategy {
  readonly replay: LenientReplay;
  /** How often each event is still wanted, by channel and content. */
  private readonly left = new Map<string, number>();
  private readonly controllers: ReadonlySet<string>;
  private readonly events: readonly Event[];
  private progress = 0;

  constructor({ wanted, controllers }: StsSchedule) {
    this.controllers = new Set(controllers);
    this.events = wanted.map(({ event }) => event);
    this.replay = new LenientReplay(this.events, {
      matcher: Matcher.ofLive(fingerprint),
      likeness: 'content',
      absent: 'repair',
      choices: undefined,
      targets: unknownTargets(this.events),
    });
    for (const event of this.events) this.count(event, 1);
  }

  next(session: Session): ReturnType<Strategy['next']> {
    const own = session.enabled.find((event) => this.isOwn(event));
    if (own !== undefined) return own;
    const next = this.replay.next(session);
    for (; this.progress < this.replay.progress; this.progress++) this.count(this.events[this.progress] as Event, -1);
    return next;
  }

  /** Whether it is a deed of a switch or a link that STS does not write down. Timers wait until they are wanted. */
  private isOwn(event: Internal): boolean {
    if (event.kind === 'fire' || (event.kind === 'deliver' && this.controllers.has(event.from))) return false;
    return this.keysOf(event).every((key) => (this.left.get(key) ?? 0) === 0);
  }

  private count(event: Event, by: number): void {
    for (const key of isInternal(event) ? this.keysOf(event) : 'target' in event ? [event.target] : [])
      this.left.set(key, (this.left.get(key) ?? 0) + by);
  }

  /** An event of the environment is known by its name, any other by its channel and content. */
  private keysOf(event: Internal): readonly string[] {
    return [hex(event), hex(channelDigest(event, fingerprint))];
  }
}
