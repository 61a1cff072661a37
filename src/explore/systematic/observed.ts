import { DataDigest } from '../../trace/data-digest.ts';
import { hex } from '../../trace/digest.ts';
import { ENVIRONMENT } from '../../trace/event.ts';
import type { Session } from '../../kernel/ports.ts';
import type { ProcessView, RunningProcess, World } from '../../kernel/world.ts';
import type { Looks } from '../glance.ts';
import type { Mark } from './scope.ts';

/** A field that stands for whatever else there is to see of a process. */
const REST = '';

/** The same as JSON. */
export interface SavedObserved {
  readonly version: number;
  readonly looksAtLast: boolean;
  readonly looksAtOrder: boolean;
  readonly fields: readonly (readonly [process: string, fields: readonly string[]])[];
}

/**
 * What oracles look at, as far as they have been seen to: top-level fields of the states of processes, and whatever tells
 * orders apart. An event that changes none of it cannot change a verdict, so only the others need be kept in order. Grows
 * while an exploration goes on, which then has to begin anew.
 */
export class Observed {
  /** Counts what was seen for the first time. */
  version = 0;
  private readonly fields = new Map<string, Set<string>>();
  private looksAtLast = false;
  private looksAtOrder = false;

  constructor(private readonly processes: readonly string[]) {}

  save(): SavedObserved {
    const { version, looksAtLast, looksAtOrder } = this;
    const fields = [...this.fields].map(([process, seen]): [string, string[]] => [process, [...seen]]);
    return { version, looksAtLast, looksAtOrder, fields };
  }

  restore({ version, looksAtLast, looksAtOrder, fields }: SavedObserved): void {
    Object.assign(this, { version, looksAtLast, looksAtOrder });
    for (const [process, seen] of fields) this.fields.set(process, new Set(seen));
  }

  /** What was seen elsewhere. */
  add({ looksAtLast, looksAtOrder, fields }: SavedObserved): void {
    if (looksAtLast) this.seeLast();
    if (looksAtOrder) this.looksAtOrder = this.news(this.looksAtOrder);
    for (const [process, seen] of fields) for (const field of seen) this.note(process, field);
  }

  /** Whether oracles can tell any two orders apart. */
  get isOrderSeen(): boolean {
    return this.looksAtOrder || (this.looksAtLast && this.fields.size > 0);
  }

  /** What oracles look at of how a world came about. */
  get looks(): Pick<Looks, 'length' | 'pending' | 'last'> {
    return { length: this.looksAtOrder, pending: this.looksAtOrder, last: this.looksAtLast };
  }

  get isAnything(): boolean {
    return this.fields.size > 0;
  }

  /** Whether what happened since then may matter to an oracle. */
  isVisible(before: Session, after: Session, since: Mark): boolean {
    if (after.recording.notes.since(since.notes).some((note) => 'call' in note)) return true;
    for (const { process } of after.recording.events.since(since.events)) {
      const fields = process === ENVIRONMENT ? undefined : this.fields.get(process);
      if (fields === undefined) continue;
      if (digestOf(viewOf(before, process), fields) !== digestOf(viewOf(after, process), fields)) return true;
    }
    return false;
  }

  /** The world as it is, which takes note of what is looked at. */
  watch(world: World): World {
    const watched: Pick<World, 'process' | 'up' | 'operations'> = {
      process: (name) => this.watched(world.process(name)),
      up: (...of: never[]) => {
        // Who is missing from the list matters as well.
        for (const name of this.processes) this.note(name, REST);
        const up: readonly RunningProcess[] = world.up(...(of as unknown as [never]));
        return up.map((process) => this.watched(process)) as never;
      },
      operations: (events) => world.operations(events),
    };
    return new Proxy(world, {
      get: (target, field) => {
        if (field === 'last') this.seeLast();
        if (field === 'length' || field === 'pending') this.looksAtOrder = this.news(this.looksAtOrder);
        if (field === 'process' || field === 'up' || field === 'operations') return watched[field];
        return Reflect.get(target, field, target) as unknown;
      },
    });
  }

  /** An oracle looks at the event that happened last. */
  seeLast(): void {
    this.looksAtLast = this.news(this.looksAtLast);
  }

  private news(isKnown: boolean): true {
    if (!isKnown) this.version += 1;
    return true;
  }

  private watched<P extends ProcessView>(process: P): P {
    const { name, state } = process;
    this.note(name, REST);
    const shown =
      state === undefined
        ? undefined
        : new Proxy(state, {
            get: (target, field) => {
              this.note(name, String(field));
              return Reflect.get(target, field, target) as unknown;
            },
            ownKeys: (target) => {
              for (const field of Reflect.ownKeys(target)) this.note(name, String(field));
              return Reflect.ownKeys(target);
            },
          });
    return new Proxy(process, {
      get: (target, field) => (field === 'state' ? shown : (Reflect.get(target, field, target) as unknown)),
    });
  }

  private note(process: string, field: string): void {
    let fields = this.fields.get(process);
    if (fields === undefined) this.fields.set(process, (fields = new Set()));
    if (fields.has(field)) return;
    fields.add(field);
    this.version += 1;
  }
}

function viewOf({ world }: Session, process: string): ProcessView | undefined {
  try {
    return world.process(process);
  } catch {
    // It has not joined.
    return undefined;
  }
}

function digestOf(view: ProcessView | undefined, fields: ReadonlySet<string>): string {
  if (view === undefined) return '';
  const { up, state, restarts, disk } = view;
  const digest = new DataDigest().data(up).and(restarts).and(disk);
  for (const field of fields) digest.and((state as Record<string, unknown> | undefined)?.[field]);
  return hex(digest);
}
