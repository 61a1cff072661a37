import { describe, expect, test } from 'vitest';
import { behavior, crash, fromClass, restart, send, type Io } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';
import { executed, happenings } from './executed.ts';
import { subject } from './subject.ts';

/** Notes the answers to its questions. */
class Asking {
  readonly answers: string[] = [];
  readonly #io: Io;
  constructor(io: Io) {
    this.#io = io;
  }
  async ask(message: string): Promise<void> {
    this.answers.push(String(await this.#io.ask('server', message)));
  }
}

const classClient = fromClass(Asking, {
  receive: (object, message: string) => object.ask(message),
  view: ({ answers }) => ({ answers: [...answers] }),
}) as AnyBehavior;

const behaviorClient = behavior({
  start: () => ({ answers: [] as string[] }),
  async receive(state, message: string, ctx) {
    state.answers.push(String(await ctx.ask('server', message)));
  },
}) as AnyBehavior;

/** Answers the question before when it gets the next one, and the last one after its write. */
class Server {
  #before: (() => void) | undefined;
  readonly #io: Io;
  constructor(io: Io) {
    this.#io = io;
  }
  async onQuestion(message: string, reply: (answer: unknown) => void): Promise<void> {
    this.#before?.();
    this.#before = () => reply(`late ${message}`);
    await this.#io.storage.write('last', message);
    if (message === 'last') reply('written');
  }
}

const classServer = fromClass(Server, {
  receive: (object, message: string, _from, reply) => object.onQuestion(message, reply),
  view: () => ({}),
}) as AnyBehavior;

const behaviorServer = behavior({
  start: () => ({}),
  async receive(_state, message: string, ctx) {
    await ctx.disk.write('last', message);
    ctx.reply(`at once ${message}`);
  },
}) as AnyBehavior;

const atOnce = fromClass(Server, {
  receive: async (_object, message: string, _from, reply) => reply(`at once ${message}`),
  view: () => ({}),
}) as AnyBehavior;

describe('an object of a class', () => {
  test('answers a question, also at a later event than its arrival', async () => {
    const questions = [send('client', 'one'), send('client', 'last')];
    const { world } = await executed({ client: behaviorClient, server: classServer }, questions);
    expect(world.process('client').state).toEqual({ answers: ['late one', 'written'] });
  });

  test('asks, and gets the answer of a behavior or of another class', async () => {
    for (const server of [behaviorServer, atOnce]) {
      const session = await executed({ client: classClient, server }, [send('client', 'one')]);
      expect(session.world.process('client').state).toEqual({ answers: ['at once one'] });
    }
  });

  test('learns that there is no answer in time', async () => {
    const { world } = await executed(
      {
        client: subject(async (io, notes) => {
          await io.ask('server', 'one', 100).catch((error: unknown) => notes.push(String(error)));
        }),
        server: subject(() => undefined),
      },
      [send('client', '')],
    );
    expect(world.process('client').state).toEqual({ notes: [expect.stringContaining('server') as unknown] });
  });

  test('gets the events that a behavior gets which asks the same', async () => {
    const eventsOf = async (client: AnyBehavior): Promise<string[]> =>
      happenings(await executed({ client, server: behaviorServer }, [send('client', 'one')]));
    expect(await eventsOf(classClient)).toEqual(await eventsOf(behaviorClient));
    expect(await eventsOf(classClient)).toContain('client gets from server');
  });

  test('has no effect with answers that it gives after a crash', async () => {
    const replies: ((answer: unknown) => void)[] = [];
    const keeping = fromClass(Server, {
      receive: (_object, _message: string, _from, reply) => {
        for (const earlier of replies.splice(0)) earlier('from an earlier life');
        replies.push(reply);
      },
      view: () => ({}),
    }) as AnyBehavior;
    const session = await executed({ client: behaviorClient, server: keeping }, [
      send('client', 'one'),
      crash('server'),
      restart('server'),
      send('server', 'two'),
    ]);
    expect(happenings(session).filter((what) => what.startsWith('client gets from server'))).toEqual([]);
  });
});
