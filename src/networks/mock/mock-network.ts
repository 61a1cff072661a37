import { CulpritError } from '../../error.ts';
import type { AnyBehavior } from '../../kernel/behavior.ts';
import type { AnyDefinition, System } from '../../system/definition.ts';
import { eventOf } from '../../trace/codec.ts';
import { digestText } from '../../trace/digest.ts';
import { isConsequence, isInternal, type Event } from '../../trace/event.ts';
import type { Trace } from '../../trace/format.ts';
import { leavesOut } from './left-out.ts';
import { mockClock, mockController } from './mock-controller.ts';
import { controlMessages, endsLife, recordedControllers } from './recorded-messages.ts';
import { renumbered } from './renumbered.ts';

/** A recording whose controllers cannot be mocked. */
class NoMock extends CulpritError {
  readonly code = 'NO_MOCK';
}

export interface MockOptions {
  /**
   * Inputs and messages of controllers that do not happen: by number (`14`, `14-17`), by kind (`flow_mod`, `migrate`, `cut`), or by process (`c1`).
   */
  readonly without?: readonly string[];
}

/** A network in which no controller runs, and the events of a recording that can happen in it. */
export interface MockNetwork {
  readonly system: System;
  readonly schedule: readonly Event[];
  /** How many events of the schedule are of the recording: the rest lets time pass. */
  readonly recorded: number;
  /** How many messages controllers sent in the recording, and how many of them are left out. */
  readonly messages: { readonly recorded: number; readonly leftOut: number };
  /** How many inputs are left out. */
  readonly inputsLeftOut: number;
}

/**
 * The system of a trace with mock controllers: switches are those of the system, and get exactly the messages that controllers sent in the recording.
 * What switches send to controllers is dropped. No program runs, so executions are repeatable.
 */
export function mockNetwork(system: System, trace: Trace, { without = [] }: MockOptions = {}): MockNetwork {
  const { topology } = trace.header;
  const nodes = new Set(topology?.nodes);
  const isSwitch = (name: string): boolean => nodes.has(name);
  const events = trace.events.map(eventOf);
  const all = controlMessages(events, isSwitch);
  if (all.length === 0)
    throw new NoMock(
      'no controller sends a message to a switch in this trace.',
      'Mock controllers repeat the messages of recorded ones: give the trace of a network, such as those of `defineNetwork`.',
    );
  const sent = new Set(all.map(({ at }) => at));
  const dropped = leavesOut(without, events, sent);
  const messages = all.filter(({ at }) => !dropped.has(at));
  const behaviors = recordedControllers(events, messages);
  const define = (definition: AnyDefinition): AnyDefinition => ({
    ...definition,
    processes: mocked(definition.processes, isSwitch, (name) => mockController(behaviors.get(name) ?? [])),
    // Inputs are those of the recording, and new ones that somebody types.
    workload: [],
    triggers: [],
    // Time passes in the order of deadlines where it did so beside a real controller.
    ...(Object.values(definition.processes).some(({ host }) => host !== undefined) ? { timers: { skewMs: 0 } } : {}),
  });
  const kept = renumbered(events, (event, at) => !dropped.has(at) && canHappen(event, events, isSwitch));
  return {
    system: { ...system, define: (values) => define(system.define(values)) },
    // Behind the recording, so that its events keep their numbers.
    schedule: [...kept, startOf(CLOCK)],
    recorded: kept.length,
    messages: { recorded: all.length, leftOut: all.length - messages.length },
    inputsLeftOut: [...dropped].filter((at) => !sent.has(at) && !isConsequence(events[at] as Event, events)).length,
  };
}

/** Switches stay, and all others become mocks. A clock is added. */
function mocked(
  processes: AnyDefinition['processes'],
  isSwitch: (name: string) => boolean,
  mockOf: (name: string) => AnyBehavior,
): Record<string, AnyBehavior> {
  const all = Object.entries(processes);
  const live = all.find(([name, behavior]) => isSwitch(name) && behavior.host !== undefined);
  if (live !== undefined)
    throw new NoMock(
      `the switch ${live[0]} is a real program, which a replay with mock controllers does not run.`,
      'Replay without --mock, or with switches of culprit.',
    );
  const mocks = all.map(([name, behavior]): [string, AnyBehavior] => [name, isSwitch(name) ? behavior : mockOf(name)]);
  const clock: [string, AnyBehavior] = [CLOCK, mockClock];
  return Object.fromEntries([...mocks, clock]);
}

/** The name of the process that lets time pass. */
const CLOCK = 'mock clock';

const startOf = (process: string): Event => ({ kind: 'start', process, cause: -1, ...digestText(`start ${process}`) });

/** Mocks take what switches send, and notices of ends. Other deeds of controllers, and waits of the workload, have no place. */
function canHappen(event: Event, events: readonly Event[], isSwitch: (name: string) => boolean): boolean {
  if (event.kind === 'wait') return false;
  if (!isInternal(event) || isSwitch(event.process)) return true;
  return event.kind === 'deliver' && (isSwitch(event.from) || endsLife(events[event.cause]));
}
