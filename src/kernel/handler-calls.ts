import type { Complete, Deliver, Event, External, Internal, Return } from '../trace/event.ts';
import type { LiveWorld } from './live-world.ts';
import type { Handler, Operation } from './operation.ts';
import type { Process } from './process.ts';

/** A function of a behavior that the kernel calls for events. */
export type HandlerName = 'start' | 'receive' | 'timer' | 'wrote' | 'returned';

/** The handler that the event calls, by the event alone; undefined if it calls none, or if that depends on awaiting handlers. */
export function handlerFor(event: Event | External): HandlerName | undefined {
  switch (event.kind) {
    case 'start':
    case 'restart':
    case 'spawn':
      return 'start';
    case 'deliver':
      return event.reply === 0 ? 'receive' : undefined;
    case 'fire':
      return 'timer';
    case 'return':
      return event.ask === 0 ? 'returned' : undefined;
    default:
      return undefined;
  }
}

/** An event that may resume a handler that awaits it, instead of calling another one. */
export type Awaitable = Complete | Deliver | Return;

export const mayBeAwaited = (event: Event | External): event is Awaitable =>
  event.kind === 'complete' ||
  (event.kind === 'deliver' && event.reply !== 0) ||
  (event.kind === 'return' && event.ask !== 0);

/**
 * Says which handler an event calls or resumes, by the same rules as `internal-events.ts`. Callers repeat an execution for a reader;
 * other executions pay nothing for it.
 */
export class HandlerCalls {
  /** Calls that have asked for something they may await. */
  private readonly names = new WeakMap<Handler, HandlerName>();

  constructor(private readonly world: LiveWorld) {}

  /** To be asked before the event happens. */
  of(event: Internal | External): HandlerName | undefined {
    return mayBeAwaited(event) ? this.awaitable(event) : handlerFor(event);
  }

  /** Call this after each event: its handler made the requests of the event. */
  happened(event: Internal | External, name: HandlerName | undefined): void {
    // An action may start any process.
    if (event.kind === 'act') for (const process of this.world.processes) this.note(process, 'start');
    else if ('process' in event && name !== undefined) this.note(this.processOf(event.process), name);
  }

  private note(process: Process | undefined, name: HandlerName): void {
    for (const { requester } of process?.awaitable() ?? [])
      if (!this.names.has(requester)) this.names.set(requester, name);
  }

  private awaitable(event: Awaitable): HandlerName | undefined {
    const process = this.processOf(event.process);
    if (process === undefined) return undefined;
    switch (event.kind) {
      case 'deliver':
        // A late answer: no handler is called.
        if (!process.asked.includes(event.reply)) return undefined;
        return this.goesOn(process.awaitableBy(event.reply), 'receive');
      case 'return':
        return process.asked.includes(event.ask) ? this.goesOn(process.awaitableBy(event.ask), 'returned') : 'returned';
      case 'complete':
        return this.goesOn(
          process.awaitableBy(event.request),
          event.operation === 'write' && process.up ? 'wrote' : undefined,
        );
    }
  }

  /** The handler that awaits the operation; the other one if none does. */
  private goesOn(operation: Operation | undefined, otherwise: HandlerName | undefined): HandlerName | undefined {
    return operation?.isForHandler === true ? this.names.get(operation.requester) : otherwise;
  }

  private processOf(name: string): Process | undefined {
    const at = this.world.place(name);
    return at === undefined ? undefined : this.world.processes[at];
  }
}
