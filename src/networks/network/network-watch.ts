import type { Session } from '../../kernel/ports.ts';
import type { World } from '../../kernel/world.ts';
import type { Event } from '../../trace/event.ts';
import type { NetworkState } from '../invariants/network-state.ts';
import { linksIn, networkStateOf, viewOf } from './network-state-of.ts';
import { switchOf } from './world-of-stations.ts';

const known = new WeakMap<Session, NetworkWatch>();

/** Events that may change the state of their process, and nothing else of a network unless they end it. */
const ofOneProcess: ReadonlySet<Event['kind']> = new Set(['deliver', 'return', 'fire', 'complete']);

/** Events of the environment that change neither processes nor links. */
const ofNoProcess: ReadonlySet<Event['kind']> = new Set(['send', 'lose', 'duplicate', 'hold', 'delay', 'act', 'wait']);

/**
 * The state of the network in one execution. After an event, only the switch that it happened to is looked at again, unless links or
 * processes went down or came up: a view that is the same object as before is unchanged. All oracles of an execution share it.
 */
export class NetworkWatch {
  private seen: number | undefined;
  private state: NetworkState = { switches: [] };
  private carries: ReturnType<typeof linksIn> = () => false;

  private constructor(private readonly session: Session) {}

  static of(session: Session): NetworkWatch {
    let watch = known.get(session);
    if (watch === undefined) known.set(session, (watch = new NetworkWatch(session)));
    return watch;
  }

  /** The state now. It is the same object until a switch or a link changes. */
  readonly stateOf = (world: World): NetworkState => {
    const { events } = this.session.recording;
    if (this.seen === events.length) return this.state;
    const changed = this.seen === undefined ? undefined : changedIn(world, events.since(this.seen));
    this.seen = events.length;
    if (changed === undefined) {
      this.state = networkStateOf(world);
      this.carries = linksIn(world, new Set(world.up().map(({ name }) => name)));
    } else if (changed.size > 0) this.state = this.withNew(world, changed);
    return this.state;
  };

  private withNew(world: World, changed: ReadonlySet<string>): NetworkState {
    return {
      switches: this.state.switches.map((view) => {
        const found = changed.has(view.name) ? switchOf(world.process(view.name)) : undefined;
        return found === undefined ? view : viewOf(found, this.carries);
      }),
    };
  }
}

/** The switches that these events may have changed; undefined if they may have changed links, or the set of processes that are up. */
function changedIn(world: World, events: readonly Event[]): ReadonlySet<string> | undefined {
  const changed = new Set<string>();
  for (const { kind, process } of events) {
    if (ofNoProcess.has(kind)) continue;
    if (!ofOneProcess.has(kind)) return undefined;
    const view = world.process(process);
    if (!view.up) return undefined;
    if (switchOf(view) !== undefined) changed.add(process);
  }
  return changed;
}
