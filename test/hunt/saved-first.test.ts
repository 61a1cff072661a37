import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { behavior, defineSystem, hunt, ViolationFound, type System } from 'culprit';
import { readTrace } from 'culprit/trace';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

interface Version {
  /** The state of runners: if it differs, the recorded states differ. */
  readonly state?: object;
  readonly invariant?: string;
  /** The message that must not come. */
  readonly order?: string;
}

/** Two runners, and a judge that must not see the second one first. */
function racing({ state = {}, invariant = 'order', order = 'ba' }: Version = {}): System {
  const runner = behavior<object, string>({
    start(ctx) {
      ctx.send('judge', ctx.self);
      return state;
    },
    receive() {},
  });
  const judge = behavior<{ order: string }, string>({
    start: () => ({ order: '' }),
    receive(seen, name) {
      seen.order += name;
    },
  });
  return defineSystem({
    processes: { judge, a: runner, b: runner },
    invariants: { [invariant]: (world) => world.up(judge).every(({ state: seen }) => seen.order !== order) || order },
  });
}

describe('a hunt after a change', () => {
  let directory: string;
  let before: readonly string[];
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'culprit-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    await hunt(racing(), { directory, module: 'racing.ts' }).catch(() => undefined);
    before = readdirSync(directory);
  });

  /** Finds nothing by itself, only saved traces. */
  const again = (version: Version): Promise<unknown> =>
    hunt(racing(version), { directory, module: 'racing.ts', executions: 1, strategy: 'round-robin' });

  async function failing(version: Version): Promise<ViolationFound> {
    const error = await again(version).catch((thrown: unknown) => thrown);
    if (!(error instanceof ViolationFound)) throw error;
    const path = error.path as string;
    expect(before).not.toContain(basename(path));
    expect(readTrace(readFileSync(path, 'utf8'), path)).toEqual(error.trace);
    return error;
  }

  test('fails by a saved trace if only its states differ, and saves the new execution', async () => {
    const { message } = await failing({ state: { version: 2 } });
    expect(message).toContain('violated  order: ba\n');
    expect(message).toContain('\nfound     earlier, by seed ');
  });

  test('fails by another violation that a saved trace causes', async () => {
    const { message } = await failing({ invariant: 'sequence' });
    expect(message).toContain('violated  sequence: ba\n');
    expect(message).toContain('\nfound     by seed ');
  });

  test('passes if a saved trace no longer fails, and leaves it alone', async () => {
    await again({ order: 'none' });
    await again({ state: { version: 2 }, order: 'none' });
    expect(before).toHaveLength(2);
    expect(readdirSync(directory)).toEqual(before);
  });
});
