import { fromClass, send, type Io } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';
import { stateOf } from './executed.ts';

export type Act = (io: Io, notes: string[], message: string) => unknown;

/** A class with a private list of notes, which does as a test says when it is made and when it gets a message. */
export class Subject {
  readonly #io: Io;
  readonly #notes: string[] = [];
  readonly #onMessage: Act;

  constructor(io: Io, onMessage: Act, onStart?: Act) {
    this.#io = io;
    this.#onMessage = onMessage;
    onStart?.(io, this.#notes, '');
  }

  get notes(): string[] {
    return [...this.#notes];
  }

  onMessage(message: string): unknown {
    return this.#onMessage(this.#io, this.#notes, message);
  }
}

export const subject = (onMessage: Act, onStart?: Act): AnyBehavior =>
  fromClass(Subject, {
    create: (io) => new Subject(io, onMessage, onStart),
    receive: (object, message: string) => object.onMessage(message),
    view: (object) => ({ notes: object.notes }),
  });

/** The notes after these messages, one after the other. */
export const notesOf = async (process: AnyBehavior, ...messages: readonly string[]): Promise<string[]> => {
  const state = await stateOf(
    { a: process },
    messages.map((message) => send('a', message)),
  );
  return (state as { notes: string[] }).notes;
};
