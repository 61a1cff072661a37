import { defineSystem, start } from 'culprit';
import { resolveSystem, targetOf, type AnyBehavior, type Definition, type Session } from 'culprit/kernel';
import type { External, Internal } from 'culprit/trace';
import { onTestFinished } from 'vitest';

type Processes = Readonly<Record<string, AnyBehavior>>;

/** Far more than anything takes: a machine that is busy with something else is no reason to fail. */
const PATIENCE_MS = 60_000;

/** A session of live programs in which the test decides what happens. */
export class DrivenSession {
  private constructor(readonly session: Session) {}

  /** Starts all processes in order. */
  static async start(processes: Processes, more: Partial<Definition<Processes>> = {}): Promise<DrivenSession> {
    const system = resolveSystem(defineSystem({ processes, ...more }));
    const session = targetOf(system).open(1);
    onTestFinished(() => session.close());
    const driven = new DrivenSession(session);
    for (const name of Object.keys(processes)) await driven.perform(start(name));
    return driven;
  }

  async perform(event: External | Internal): Promise<void> {
    await this.session.perform(event);
  }

  /** Lets time pass until something is the case. Nothing is delivered meanwhile. */
  async until(what: string, holds: () => boolean): Promise<void> {
    const untilMs = performance.now() + PATIENCE_MS;
    while (!holds()) {
      if (performance.now() > untilMs) throw new Error(`it never happened: ${what}; ${this.shown()}`);
      await this.session.wait?.({ ms: 20 });
    }
  }

  /** Delivers all that can be delivered until something is the case. */
  async deliverUntil(what: string, holds: () => boolean): Promise<void> {
    const untilMs = performance.now() + PATIENCE_MS;
    while (!holds()) {
      if (performance.now() > untilMs) throw new Error(`it never happened: ${what}; ${this.shown()}`);
      const [next] = this.session.enabled;
      if (next === undefined) await this.session.wait?.({ ms: 20 });
      else await this.perform(next);
    }
  }

  /** The messages in flight to a process, by type. */
  inFlightTo(process: string): string[] {
    return this.session.world.pending.flatMap((event) =>
      event.kind === 'deliver' && event.process === process ? [(event.message as { type: string }).type] : [],
    );
  }

  /** What was observed of a process, without its output. */
  observed(process: string): [what: string, content: unknown][] {
    return this.session.recording.notes
      .since(0)
      .flatMap((note) =>
        note.kind === 'observed' && note.process === process && !note.what.startsWith('std')
          ? [[note.what, note.content] as [string, unknown]]
          : [],
      );
  }

  hasObserved(process: string, what: string): boolean {
    return this.observed(process).some(([seen]) => seen === what);
  }

  /** When each of these was first observed of a process, or printed by it. */
  timesOf(process: string, what: readonly string[]): number[] {
    const notes = this.session.recording.notes.since(0);
    return what.flatMap((wanted) => {
      const first = notes.find(
        (note) => note.kind === 'observed' && note.process === process && [note.what, note.content].includes(wanted),
      );
      return first?.kind === 'observed' ? [first.atMs] : [];
    });
  }

  /** The lines that a program has printed: its view. */
  lines(process: string): readonly string[] {
    const state: { out?: string[] } | undefined = this.session.world.process(process).state;
    return state?.out ?? [];
  }

  private shown(): string {
    const { world, recording } = this.session;
    const notes = recording.notes.since(0).slice(-20);
    return JSON.stringify({ pending: world.pending, notes, failure: String(world.failure?.error) }, undefined, 1);
  }
}
