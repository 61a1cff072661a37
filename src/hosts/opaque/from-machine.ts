import { format } from 'node:util';
import {
  assign,
  createActor,
  createMachine,
  fromCallback,
  type Actor,
  type AnyActorRef,
  type AnyEventObject,
  type AnyStateMachine,
  type EventFromLogic,
  type InputFrom,
  type SnapshotFrom,
  type StateValueFrom,
  type ContextFrom,
} from 'xstate';
import { callback, checked, object, type Field } from '../../kernel/options/fields.ts';
import { shownAnswer } from '../../kernel/user-code/answer.ts';
import { BadSystem } from '../../system/check-definition.ts';
import { ENVIRONMENT } from '../../trace/event.ts';
import { fromClass, type ClassBehavior } from './from-class.ts';
import type { Io } from './io.ts';
import { followSchedule } from './machine-schedule.ts';

/** How a machine takes part in a system. */
export interface FromMachineOptions<L extends AnyStateMachine, V extends object, M> {
  /** Gives the input of the machine, at the start of the process and after each crash. */
  readonly input?: (io: Io) => InputFrom<L>;
  /** Makes an event of a message. By default the message is the event. */
  readonly receive?: (message: M, from: string) => EventFromLogic<L>;
  /** What invariants, stories and traces see of the machine: plain data. By default its value, context and status. */
  readonly view?: (snapshot: SnapshotFrom<L>) => V;
}

/** What is seen of a machine by default. */
export interface MachineView<L extends AnyStateMachine> {
  /** The state that the machine is in. */
  readonly value: StateValueFrom<L>;
  /** Its context. */
  readonly context: ContextFrom<L>;
  /** Whether it runs. */
  readonly status: 'active' | 'done' | 'error' | 'stopped';
}

/** A process that runs a machine of XState. */
type MachineBehavior<V extends object, M> = ClassBehavior<MachineRun, V, M>;

const optionsField: Field = object<FromMachineOptions<AnyStateMachine, object, unknown>>(
  'an object of options',
  { input: callback, receive: callback, view: callback },
  [],
);

/**
 * Makes a machine of XState 5 a process of a system. The machine reaches the other processes as actors of its system:
 * `sendTo(({ system }) => system.get('n2'), event)`. A function gets the outside world and gives the machine, for actors that
 * store values or draw random numbers.
 */
export function fromMachine<L extends AnyStateMachine, V extends object = MachineView<L>, M = EventFromLogic<L>>(
  machine: L | ((io: Io) => L),
  options: FromMachineOptions<L, V, M> = {},
  // Not inferred from where the process is used: without a view, that would make it any object.
): MachineBehavior<NoInfer<V>, NoInfer<M>> {
  checkGiven(machine, options);
  const { input, receive = (message: M) => message as AnyEventObject, view = machineView } = options;
  const host = fromClass(MachineRun, {
    create: (io) => new MachineRun(io, typeof machine === 'function' ? machine(io) : machine, input?.(io)),
    receive: (run, message: M, from) => run.receive(receive(message, from), from),
    view: (run) => view(run.snapshot as SnapshotFrom<L>),
  });
  // Transitions handle the events, and no function of the user can be named for them.
  return { ...host, code: {} } as MachineBehavior<V, M>;
}

/** What every snapshot of a machine has. */
type Seen = Readonly<Record<'value' | 'context' | 'status', unknown>>;

const machineView = ({ value, context, status }: Seen): object => ({ value, context, status });

/** A machine in one life of its process. The machines of other processes are actors of its system that pass events on. */
class MachineRun {
  readonly #io: Io;
  readonly #root: Actor<AnyStateMachine>;
  readonly #machine: AnyActorRef;
  /** What the machine threw in the call under way; undefined between calls. */
  #thrown: unknown[] | undefined;

  constructor(io: Io, machine: AnyStateMachine, input: unknown) {
    this.#io = io;
    const { setTimeout, clearTimeout } = io;
    this.#root = createActor(root, {
      clock: { setTimeout, clearTimeout },
      logger: (...args: readonly unknown[]) => io.log(format(...args)),
    });
    this.#root.subscribe({ error: (error) => this.#fail(error) });
    countFromOne(this.#root.system);
    followSchedule(this.#root.system.scheduler, io, machine.id, (act) => this.#call(act));
    this.#call(() => this.#root.start().send({ type: BEGIN, io, machine, input }));
    const { children } = this.#root.getSnapshot() as { readonly children: Readonly<Record<string, AnyActorRef>> };
    this.#machine = children[io.self] as AnyActorRef;
  }

  get snapshot(): Seen {
    return this.#machine.getSnapshot() as Seen;
  }

  receive(event: AnyEventObject, from: string): void {
    // XState's development build prints a warning about it, and the other build does not: executions would differ.
    if (this.snapshot.status !== 'active') return;
    this.#call(() => {
      // A process that joined later is an actor from its first message on.
      if (from !== ENVIRONMENT && this.#root.system.get(from) === undefined)
        this.#root.send({ type: MEET, io: this.#io, name: from });
      this.#machine.send(event);
    });
  }

  /** XState catches what actions and guards throw, and would throw it again in a real timer. */
  #call(act: () => void): void {
    const thrown: unknown[] = [];
    this.#thrown = thrown;
    try {
      act();
    } finally {
      this.#thrown = undefined;
    }
    if (thrown.length > 0) throw thrown[0];
  }

  #fail(error: unknown): void {
    if (this.#thrown !== undefined) this.#thrown.push(error);
    // A promise of the machine failed between two calls: the kernel gets it as an exception that no code caught.
    else
      void Promise.resolve().then(() => {
        throw error;
      });
  }
}

const BEGIN = 'culprit.begin';
const MEET = 'culprit.meet';

interface Begin {
  readonly io: Io;
  readonly machine: AnyStateMachine;
  readonly input: unknown;
}

interface Meet {
  readonly io: Io;
  readonly name: string;
}

/** Stands for another process: passes events on to it. */
const link = fromCallback<AnyEventObject, Meet>(({ receive, input: { io, name } }) =>
  receive((event) => io.send(name, event)),
);

/**
 * The parent of the machine and of the actors that stand for other processes. An error that none of them handles ends it. One
 * for all lives: to make a machine takes longer than most executions.
 */
const root = createMachine({
  on: {
    [BEGIN]: {
      actions: assign(({ spawn, event }) => {
        const { io, machine, input } = event as unknown as Begin;
        for (const name of io.peers) spawn(link, { id: name, systemId: name, input: { io, name } });
        spawn(machine, { id: io.self, systemId: io.self, input });
        return {};
      }),
    },
    [MEET]: {
      actions: assign(({ spawn, event }) => {
        const { io, name } = event as unknown as Meet;
        spawn(link, { id: name, systemId: name, input: { io, name } });
        return {};
      }),
    },
  },
});

/** XState counts the actors of all systems together: an actor would have another id in every execution. */
function countFromOne(system: object): void {
  let actors = 0;
  Reflect.set(system, '_bookId', () => `x:${++actors}`);
}

function checkGiven(machine: unknown, options: unknown): void {
  const isMachine = typeof machine === 'object' && machine !== null && 'getInitialSnapshot' in machine;
  if (!isMachine && typeof machine !== 'function')
    throw new BadSystem(
      `fromMachine takes a machine, not ${shownAnswer(machine)}.`,
      'Give fromMachine(createMachine({ … })), or a function that takes io and gives a machine.',
    );
  checked(options as object, optionsField, { who: 'fromMachine', noun: 'option', error: BadSystem });
}
