import { describe, expect, test } from 'vitest';
import { crash, fromClass, restart, send, stop, type Io } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';
import type { External } from 'culprit/trace';
import { executed, happenings, stateOf } from './executed.ts';
import { notesOf, Subject, subject, type Act } from './subject.ts';

describe('an object of a class', () => {
  test('is made with io where nothing else is said', async () => {
    class Greeter {
      heard = 0;
      readonly #io: Io;
      constructor(io: Io) {
        this.#io = io;
      }
      onMessage(from: string): void {
        this.heard += 1;
        if (from !== 'environment') return this.heard === 1 ? this.#io.send(from, 'hello') : undefined;
        for (const peer of this.#io.peers) this.#io.send(peer, `${this.#io.self} is here`);
      }
    }
    const greeter = fromClass(Greeter, {
      receive: (object, _message: string, from) => object.onMessage(from),
      view: ({ heard }) => ({ heard }),
    }) as AnyBehavior;
    const session = await executed({ a: greeter, b: greeter }, [send('a', 'go')]);
    expect(happenings(session).slice(0, 3)).toEqual(['a gets from environment', 'b gets from a', 'a gets from b']);
    expect(session.world.process('b').state).toEqual({ heard: 1 });
  });

  test('keeps private fields from one event to the next', async () => {
    const process = subject((_io, notes, message) => notes.push(message));
    expect(await notesOf(process, 'one', 'two')).toEqual(['one', 'two']);
  });

  test('may be made by a promise', async () => {
    class Slow {
      readonly #value: unknown;
      constructor(value: unknown) {
        this.#value = value;
      }
      get value(): unknown {
        return this.#value;
      }
    }
    const slow = fromClass(Slow, {
      create: async (io) => {
        await io.storage.write('key', 'written');
        return new Slow(await io.storage.read('key'));
      },
      receive: () => undefined,
      view: ({ value }) => ({ value }),
    }) as AnyBehavior;
    const session = await executed({ a: slow });
    expect(happenings(session)).toEqual(['a write', 'a read']);
    expect(session.world.process('a').state).toEqual({ value: 'written' });
  });

  test('does not show what later events do to its view', async () => {
    const log: string[] = [];
    const process = fromClass(Subject, {
      create: (io) => new Subject(io, () => log.push('x')),
      receive: (object, message: string) => object.onMessage(message),
      view: () => ({ log }),
    }) as AnyBehavior;
    const session = await executed({ a: process }, [send('a', '')]);
    const before = session.world.process('a').state;
    log.push('outside');
    expect(before).toEqual({ log: ['x'] });
  });

  test('prevents copies of the world while its process lives', async () => {
    const process = subject(() => undefined);
    expect((await executed({ a: process })).fork).toBeUndefined();
    expect((await executed({ a: process }, [crash('a')])).fork).toBeDefined();
  });
});

describe('asynchronous methods', () => {
  const hop = async (notes: string[], note: string): Promise<void> => {
    await Promise.resolve();
    notes.push(note);
  };

  test.each<[string, Act]>([
    ['returned', (_io, notes, message) => hop(notes, message)],
    ['not returned', (_io, notes, message) => void hop(notes, message)],
    ['in a callback', (_io, notes, message) => queueMicrotask(() => notes.push(message))],
  ])('are part of the event: %s', async (_how, act) => {
    expect(await notesOf(subject(act), 'one', 'two')).toEqual(['one', 'two']);
  });

  test('go on where a later event resolves their promise, in that event', async () => {
    const waiting: ((value: string) => void)[] = [];
    const process = subject((_io, notes, message) => {
      if (message !== 'wait') return waiting.shift()?.(message);
      void new Promise<string>((resolve) => waiting.push(resolve)).then((value) => notes.push(`got ${value}`));
    });
    const session = await executed({ a: process }, [send('a', 'wait'), send('a', 'this')]);
    expect(session.world.process('a').state).toEqual({ notes: ['got this'] });
    expect(happenings(session)).toHaveLength(2);
  });

  test('that are returned and wait keep other messages from nobody', async () => {
    const process = subject(async (io, notes, message) => {
      if (message === 'slow') await io.sleep(100);
      notes.push(message);
    });
    const session = await executed({ a: process }, [send('a', 'slow'), send('a', 'fast')]);
    expect(happenings(session)).toContain('a sleep');
    expect(session.world.process('a').state).toEqual({ notes: ['slow', 'fast'] });
  });
});

describe('io', () => {
  test('gives random numbers of the seed', async () => {
    const process = subject((io, notes) => notes.push(`${io.random()}`));
    const [one, again, other] = await Promise.all(
      [3, 3, 4].map((seed) => stateOf({ a: process }, [send('a', ''), send('a', '')], seed)),
    );
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    const [first, second] = (one as { notes: string[] }).notes;
    expect(first).not.toBe(second);
  });

  test('has a storage that survives a crash, to which every write is an event', async () => {
    const process = subject(
      async (io, notes, message) => {
        const writing = io.storage.write('key', message);
        notes.push(`before: ${String(io.storage.peek('key'))}`);
        await writing;
        notes.push(`after: ${String(io.storage.peek('key'))}`);
      },
      (io, notes) => notes.push(`found: ${String(io.storage.peek('key'))}`),
    );
    const session = await executed({ a: process }, [send('a', 'v1'), crash('a'), restart('a')]);
    expect(session.world.process('a').state).toEqual({ notes: ['found: v1'] });
    expect(happenings(session)).toEqual(['a gets from environment', 'a write']);
    expect(await notesOf(process, 'v1', 'v2')).toEqual([
      'found: undefined',
      'before: undefined',
      'after: v1',
      'before: v1',
      'after: v2',
    ]);
  });

  test('gives real promises, and functions that may be taken off', async () => {
    const process = subject(({ sleep, now, send: tell }, notes, message) => {
      if (message !== 'go') return notes.push(message);
      return sleep(50)
        .finally(() => tell('a', `slept until ${now()}`))
        .catch(() => notes.push('never'));
    });
    expect(await notesOf(process, 'go')).toEqual(['slept until 50']);
  });

  test('writes to the trace', async () => {
    const process = subject((io) => io.log('a line'));
    const session = await executed({ a: process }, [send('a', '')]);
    expect(JSON.stringify(session.recording.notes)).toContain('a line');
  });
});

describe('a life', () => {
  const lives: Io[] = [];
  const living =
    (notes: string[]): Act =>
    (_io, _notes, message) => {
      const [former] = lives;
      if (message !== 'use' || former === undefined) return;
      const shout = (): void => void notes.push('the dead speak');
      former.send('b', 'from the dead');
      former.setTimeout(shout, 1).unref();
      former.setInterval(shout, 1);
      former.clearTimeout(undefined);
      former.log('the dead write');
      notes.push(
        ...[former.random(), former.now(), former.storage.peek('key') ?? 0].filter((value) => value !== 0).map(String),
      );
      void former.sleep(1).then(shout);
      void former.storage.write('key', 'dead').then(shout);
      void former.storage.read('key').then(shout);
    };

  test.each<[string, External[], string]>([
    ['a crash', [crash('a'), restart('a')], 'a'],
    ['a crash', [crash('a')], 'b'],
    ['a stop', [stop('a')], 'b'],
  ])('ends with %s: code that uses its io later has no effect (%#)', async (_how, ending, user) => {
    lives.length = 0;
    const said: string[] = [];
    const process = subject(living(said), (io) => lives.push(io));
    const session = await executed({ a: process, b: process }, [...ending, send(user, 'use')]);
    expect(lives.length).toBe(ending.length + 1);
    expect(said).toEqual([]);
    expect(happenings(session)).toEqual([`${user} gets from environment`]);
    expect(session.world.pending).toEqual([]);
  });

  test('begins with a new object after a crash', async () => {
    const process = subject((_io, notes, message) => notes.push(message));
    const externals = [send('a', 'one'), crash('a'), restart('a'), send('a', 'two')];
    expect(await stateOf({ a: process }, externals)).toEqual({ notes: ['two'] });
  });

  test('that ends while its object is being made has no effect later', async () => {
    const waiting: (() => void)[] = [];
    const process = fromClass(Subject, {
      create: async (io) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        io.send('b', 'too late');
        return new Subject(io, () => undefined);
      },
      receive: (object, message: string) => object.onMessage(message),
      view: (object) => ({ notes: object.notes }),
    }) as AnyBehavior;
    const other = subject((_io, notes, message) => {
      notes.push(message);
      waiting.shift()?.();
    });
    const session = await executed({ a: process, b: other }, [crash('a'), send('b', 'go')]);
    expect(session.world.process('b').state).toEqual({ notes: ['go'] });
  });
});
