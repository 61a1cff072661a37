import { describe, expect, test } from 'vitest';
import { executed, happenings } from './executed.ts';
import { notesOf, subject } from './subject.ts';

describe('timers', () => {
  test('are named after their callbacks, with the smallest number that is free', async () => {
    const process = subject(
      () => undefined,
      (io, notes) => {
        const retry = (): void => void notes.push('retry');
        function beat(this: void): void {
          io.setTimeout(retry, 1);
        }
        io.setTimeout(retry, 1);
        const second = io.setTimeout(retry, 1);
        io.setTimeout(retry, 1);
        io.clearTimeout(second);
        notes.push(second.name, io.setTimeout(retry, 1).name, io.setTimeout(beat.bind(undefined), 1).name);
        notes.push(io.setTimeout(() => undefined, 1).name);
      },
    );
    const session = await executed({ a: process });
    const { notes } = session.world.process('a').state as { notes: string[] };
    expect(notes.slice(0, 4)).toEqual(['retry 2', 'retry 2', 'beat', 'timeout']);
    expect(happenings(session).sort()).toEqual(['a beat', 'a retry', 'a retry', 'a retry 2', 'a retry 3', 'a timeout']);
  });

  test('pass their arguments, may be cleared after they fired, and have ref and unref', async () => {
    const process = subject(
      () => undefined,
      (io, notes) => {
        const note = (text: string): void => void notes.push(text);
        const timer = io.setTimeout(note, 1, 'first').unref().ref();
        const late = (): void => {
          // The next one has the name of the one that fired, and must stay.
          io.setTimeout(note, 1, 'second');
          io.clearTimeout(timer);
          io.clearTimeout(undefined);
        };
        io.setTimeout(late, 2);
      },
    );
    expect(await notesOf(process)).toEqual(['first', 'second']);
  });

  test('repeat until they are cleared', async () => {
    const process = subject(
      () => undefined,
      (io, notes) => {
        const tick = (): void => {
          if (notes.push(`${io.now()}`) === 3) io.clearInterval(timer);
        };
        const timer = io.setInterval(tick, 10);
      },
    );
    expect(await notesOf(process)).toEqual(['10', '20', '30']);
  });

  test('take no delay, a negative one and one that is no number for the least', async () => {
    const timeouts = subject(
      () => undefined,
      (io, notes) => {
        for (const ms of [undefined, -5, Number.NaN]) io.setTimeout(() => notes.push(`${io.now()}`), ms);
      },
    );
    expect(await notesOf(timeouts)).toEqual(['0', '0', '0']);
    const interval = subject(
      () => undefined,
      (io, notes) => {
        const timer = io.setInterval(() => {
          notes.push(`${io.now()}`);
          io.clearInterval(timer);
        });
      },
    );
    expect(await notesOf(interval)).toEqual(['1']);
  });
});
