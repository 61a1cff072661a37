import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { check, defineSystem, doctor, fromClass, search, send, type Io, type System } from 'culprit';
import type { AnyBehavior } from 'culprit/kernel';

const here = fileURLToPath(import.meta.url);

/** A class that keeps what a global function gives, in a private field. */
class Leaky {
  #kept: unknown = 'nothing';
  readonly #use: (keep: (value: unknown) => void, io: Io) => unknown;
  readonly #io: Io;

  constructor(io: Io, use: (keep: (value: unknown) => void, io: Io) => unknown) {
    this.#io = io;
    this.#use = use;
  }

  get kept(): unknown {
    return this.#kept;
  }

  onMessage(): unknown {
    return this.#use((value) => (this.#kept = value), this.#io);
  }
}

type Use = ConstructorParameters<typeof Leaky>[1];

const leaky = (use: Use): System => {
  const process = fromClass(Leaky, {
    create: (io) => new Leaky(io, use),
    receive: (object) => object.onMessage(),
    view: ({ kept }) => ({ kept }),
  }) as AnyBehavior;
  return defineSystem({ processes: { a: process, b: process }, workload: [send('a', 'go'), send('b', 'go')] });
};

/** Some of the systems never end. */
const EVENTS_MAX = 30;

/** The uses stand in this file. */
const PLACE = /test\/hosts\/globals\.test\.ts:\d+/;

describe('a global that a class uses is named by doctor, with its line:', () => {
  test.each<[string, Use, level: string]>([
    ['Date.now', (keep) => keep(Date.now()), 'problem'],
    ['Date', (keep) => keep(new Date().toISOString()), 'problem'],
    ['Math.random', (keep) => keep(Math.random()), 'problem'],
    ['Math.random', (_keep, io) => io.send('b', Math.random() < 0.5), 'problem'],
    ['Date.now', () => Date.now(), 'warning'],
    ['setTimeout', (keep) => setTimeout(() => keep('later'), 0), 'warning'],
    ['setInterval', () => clearInterval(setInterval(() => undefined, 1)), 'warning'],
    ['setImmediate', (keep) => setImmediate(() => keep('later')), 'warning'],
    // Fetch refuses this port before it opens a connection.
    ['fetch', () => fetch('http://127.0.0.1:9/').catch(() => undefined), 'warning'],
    ['fs.promises.readFile', (keep) => readFile(here).then(keep), 'problem'],
    ['fs.promises.readFile', () => void readFile(here), 'problem'],
  ])('%s (%#)', async (name, use, level) => {
    const results = await doctor(leaky(use), { executions: 2, eventsMax: EVENTS_MAX, directory: 'nowhere' });
    const named = results.flatMap((result) => (result.leaks ?? []).map((leak) => ({ ...leak, level: result.level })));
    expect(named.map((leak) => [leak.level, leak.name])).toContainEqual([level, name]);
    for (const { at } of named) expect(at).toMatch(PLACE);
  });
});

describe('executions that differ by a global are refused, with the line:', () => {
  const uses: [string, Use][] = [
    ['Math.random', (_keep, io) => io.send('b', Math.random())],
    ['setTimeout', (keep) => new Promise<void>((resolve) => void setTimeout(() => resolve(keep(1)), 1))],
    ['fs.promises.readFile', () => void readFile(here)],
  ];

  test.each(uses)('by a hunt: %s', async (name, use) => {
    const error: unknown = await search(leaky(use), { executions: 20, eventsMax: EVENTS_MAX }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toContain(`Likely leak: ${name} at `);
    expect((error as Error).message).toMatch(PLACE);
  });

  const refused: Readonly<Record<string, RegExp>> = {
    'Math.random': /Likely leak: Math\.random at test\/hosts\/globals\.test\.ts:\d+/,
    setTimeout: /^a started a real timer \(setTimeout\) in event \d+ and waits for it/,
    'fs.promises.readFile': /^a started a real request \(FSReqPromise\) in event \d+ and waits for it/,
  };

  test.each(uses)('by a check: %s', async (name, use) => {
    const error: unknown = await check(leaky(use), { eventsMax: EVENTS_MAX }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(refused[name] as RegExp);
  });
});
