import { targetOf, resolveSystem } from 'culprit/kernel';
import { BadParameter, minimize, replay, search, type Parameter } from 'culprit';
import { storyLines } from 'culprit/report';
import { readTrace } from 'culprit/trace';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isSettled } from './invariants.ts';
import election from './zookeeper-election.system.ts';

interface Hunt {
  readonly set: Readonly<Record<string, Parameter>>;
  /** Not far from an execution that fails; the README says how far that is from seed 0. */
  readonly seed: number;
  readonly executions: number;
  readonly oracle: string;
  readonly message: string | RegExp;
  /** The number of events of the minimized execution. */
  readonly events: number;
}

const hunts: readonly Hunt[] = [
  {
    set: { bug: 'zookeeper-975', outages: 2 },
    seed: 440,
    executions: 3,
    oracle: 'oneLeader',
    message: 'node-2 and node-3 both lead, and only node-3 agrees with node-3',
    events: 16,
  },
  {
    set: { bug: 'zookeeper-1075', crashes: 3, restarts: 2, outages: 3 },
    seed: 19,
    executions: 2,
    oracle: 'settles',
    message: 'nothing is left that could happen',
    events: 14,
  },
  {
    set: { bug: 'zookeeper-1419', crashes: 3, restarts: 2, outages: 5 },
    seed: 5_815,
    executions: 4,
    oracle: 'settles',
    message: /events that can go on for ever/,
    events: 39,
  },
  {
    set: { bug: 'zookeeper-1492', elected: '', observed: true, restarts: 0 },
    seed: 765,
    executions: 3,
    oracle: 'leaderHasMajority',
    message: 'node-3 leads, and nobody with a vote follows',
    events: 12,
  },
];

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
const options = { strategy: 'random', eventsMax: 150 } as const;

describe.each(hunts)('$set.bug', ({ set, seed, executions, oracle, message, events }) => {
  test('is found, minimized, and shown in the README as printed', async () => {
    const { findings, executions: tried } = await search(election, { ...options, set, seed, executions });
    const trace = findings[0]?.trace;
    if (trace === undefined) throw new Error('nothing was found');
    expect(tried).toBe(executions);
    expect(trace.verdict).toMatchObject({
      verdict: 'violated',
      oracle,
      message: expect.stringMatching(message) as string,
    });
    const { trace: left } = await minimize(election, trace, { schedules: 2_000, proofStates: 0 });
    expect(left.verdict).toMatchObject({ oracle });
    expect(left.events.length).toBe(events);
    expect(readme).toContain(`\`\`\`\n${storyLines(left.events).join('\n')}\n\`\`\``);
  });

  test('does not exist without the switch', async () => {
    const without = { ...set, bug: 'none' };
    const report = await search(election, { ...options, set: without, seed, executions: 500 });
    expect(report).toMatchObject({ executions: 500, findings: [] });
  });
});

describe('zookeeper-790', () => {
  const path = 'best/zookeeper-790.trace';
  const trace = readTrace(readFileSync(new URL(path, import.meta.url), 'utf8'), path);

  test('was made by hand and minimized, and is shown in the README', async () => {
    expect(await replay(election, trace)).toEqual(trace);
    expect(trace.verdict).toMatchObject({ oracle: 'settles', message: expect.stringMatching('for ever') as string });
    expect(trace.events.length).toBe(41);
    expect(readme).toContain(`\`\`\`\n${storyLines(trace.events, { linesMax: 41 }).join('\n')}\n\`\`\``);
  });
});

/** With every switch off: whether all servers are settled after these events, and then the first enabled ones. */
function isSettledAfter(elected: string, steps: string): boolean {
  const system = resolveSystem(election, { elected, crashes: 2, restarts: 2 });
  const session = targetOf(system).open(0);
  for (const item of system.plan(0).items) if (item.kind !== 'until') void session.perform(item);
  for (const step of steps.split(' ')) {
    const [, from, to = ''] = /^(\w)>(\w)$/.exec(step) ?? [];
    const [, kind, process] = /^([a-z]+)(\w)$/.exec(step) ?? [];
    const event =
      kind === 'crash' || kind === 'restart'
        ? ({ kind, process: `node-${process}` } as const)
        : session.enabled.find((one) =>
            from === undefined
              ? one.kind === kind && one.process === `node-${process}`
              : one.kind === 'deliver' && one.from === `node-${from}` && one.process === `node-${to}`,
          );
    if (event !== undefined) void session.perform(event);
  }
  for (let next = session.enabled[0]; next !== undefined && session.world.length < 150; next = session.enabled[0])
    void session.perform(next);
  return isSettled(session.world);
}

// The first is how zookeeper-790 comes about. The others are what checks have found to be stuck in the end, once.
test.each([
  [
    'an epoch that no follower has taken does not count',
    '',
    '2>1 1>2 1>2 fire2 3>1 1>2 2>1 1>2 fire2 crash1 1>2 restart1 1>3 1>3 3>1 1>3 fire3 fire1 1>3 3>1 complete1 1>3',
  ],
  [
    'a server that follows a follower is refused',
    'node-3',
    'crash1 crash3 restart1 restart3 3>2 3>2 2>1 fire1 1>3 1>2 3>1 3>2 1>3 2>3 2>3 fire3 fire2 1>2 2>1 2>3',
  ],
  [
    'a refused server has missed messages, and says so',
    '',
    '2>1 3>2 fire1 crash3 3>1 3>2 restart3 3>1 1>2 1>2 1>2 1>3 3>2 2>3 3>2 3>1 2>3 fire2 fire3 2>3 2>1 1>3 fire1 ' +
      '3>2 1>3 2>1 complete2 3>1 2>1 2>1 1>3 2>3 complete3 3>1 1>3 1>2 1>2 2>1 1>2 1>2',
  ],
  [
    'a server that has settled on another no longer agrees',
    '',
    '1>2 1>3 2>1 2>3 3>2 crash3 1>2 restart3 2>1 1>2 fire2 3>1 3>2 1>2 2>1 1>2 fire1 fire2 1>2 2>1 complete1 ' +
      '1>2 complete2 3>1 3>2 1>3 1>3 2>3 fire3 2>3 3>2',
  ],
  [
    'a server that has settled on a later candidate agrees',
    '',
    '2>3 crash1 restart1 3>2 2>3 fire3 1>3 1>3 3>1 2>1 crash2 2>1 1>3 2>3',
  ],
])('%s', (_what, elected, steps) => {
  expect(isSettledAfter(elected, steps)).toBe(true);
});

test('an unknown bug is refused', async () => {
  await expect(search(election, { set: { bug: 'zookeeper-1' } })).rejects.toThrow(BadParameter);
});
