import { behavior, check, defineSystem, send, type CheckOptions, type Context } from 'culprit';
import type { Policy, SavedCheck } from 'culprit/kernel';
import { Random } from 'culprit/kernel';
import { describe, expect, test } from 'vitest';
import { sender } from './sender.ts';

/** Nodes vote for themselves, then for the greatest node they have heard of, and announce it: the example of SAMC. */
function election(order: 'fifo' | 'unordered') {
  const tell = (vote: number, ctx: Pick<Context<number>, 'peers' | 'send'>): void => {
    for (const name of ctx.peers) ctx.send(name, vote);
  };
  const node = (own: number) =>
    behavior<{ vote: number }, number>({
      start(ctx) {
        tell(own, ctx);
        return { vote: own };
      },
      receive(state, vote, ctx) {
        if (vote <= state.vote) return;
        state.vote = vote;
        tell(vote, ctx);
      },
    });
  return defineSystem({
    processes: { a: node(1), b: node(2), c: node(3) },
    transport: { order },
    reduce: { message: (vote, { state }) => (state !== undefined && vote <= state.vote ? 'discards' : 'modifies') },
  });
}

const estimated = async (
  system: Parameters<typeof check>[0],
  policies: readonly Policy[],
  options: CheckOptions = {},
) => (await check(system, { search: 'blackbox', ...options, estimateReduction: [policies] })).estimatedReductions[0];

describe('of the explored executions, a policy would have left', () => {
  test.each([
    ['fifo', 88, 5],
    ['unordered', 4752, 6],
  ] as const)('in an election, %s: of %i, %i', async (order, executions, left) => {
    expect(await estimated(election(order), ['lmi'])).toEqual({ policies: ['lmi'], executions, left });
  });

  test('every execution whose crash was new when it was met', async () => {
    const clerk = behavior<{ heard: number }, number>({
      start: () => ({ heard: 0 }),
      receive(state) {
        state.heard += 1;
      },
    });
    const system = defineSystem({
      processes: { clerk, guard: clerk },
      workload: [send('clerk', 1), send('clerk', 2)],
      faults: { crashes: 1 },
      reduce: { recovery: ({ state }) => state },
    });
    // The guard crashes before or after each of two sendings and deliveries; the clerk's crash takes its messages.
    // Crashes are equivalent if the clerk has received as many messages; the guard's crash before any of them leaves
    // two orders.
    expect(await estimated(system, ['crs'])).toMatchObject({ executions: 11 + 8, left: 2 + 1 + 1 + 3 });
  });
});

type Message = { readonly sets?: string; readonly adds?: number };

/** A clerk that receives one message from every sender; its rule about them is right. */
const office = (messages: readonly Message[]) =>
  defineSystem({
    processes: {
      clerk: behavior<{ sum: number; last: string }, Message>({
        start: () => ({ sum: 0, last: '' }),
        receive(state, { sets, adds }) {
          state.last = sets ?? state.last;
          state.sum += adds ?? 0;
        },
      }),
      ...Object.fromEntries(messages.map((message, at) => [`sender-${at}`, sender(message)])),
    },
    reduce: {
      message: ({ sets, adds }: Message) => {
        if (sets === undefined) return adds === undefined ? 'discards' : 'counts';
        return adds === undefined ? { sets } : 'modifies';
      },
    },
  });

const kinds: readonly Message[] = [{}, { adds: 1 }, { adds: 2 }, { sets: 'a' }, { sets: 'b' }, { sets: 'c', adds: 1 }];

test.each([['lmi'], ['automatic']] as const)('%s, when estimated, leave as many as when applied', async (policy) => {
  const sizes = new Set<number>();
  for (let seed = 0; seed < 40; seed++) {
    const random = Random.seeded(seed, 0);
    const messages = Array.from({ length: 2 + random.below(4) }, () => kinds[random.below(kinds.length)] as Message);
    const obeyed = await check(office(messages), { reduce: [policy] });
    const left = obeyed.executions - obeyed.redundant;
    for (const search of ['dpor', 'race-reversal'] as const)
      expect({ seed, left: (await estimated(office(messages), [policy], { search }))?.left }).toEqual({ seed, left });
    sizes.add(left);
  }
  expect(sizes.size).toBeGreaterThan(4);
});

test('a wrong rule is refuted, and no result relies on it', async () => {
  const system = defineSystem({
    ...office([{ sets: 'a' }, { sets: 'b' }]).define({}),
    reduce: { message: () => 'counts' },
  });
  const report = await check(system, { estimateReduction: [['lmi']], audit: true });
  expect(report).toMatchObject({ verdict: 'holds', executions: 2, refuted: [{ rule: 'lmi' }] });
  // Not believed once it was found to be wrong.
  expect(report.estimatedReductions).toEqual([{ policies: ['lmi'], executions: 2, left: 2 }]);
});

test.each<[string, CheckOptions, string]>([
  ['a search that goes by worlds', { search: 'worlds' }, 'the reduction cannot be estimated with worlds.'],
  ['several workers', { workers: 2 }, 'the reduction is estimated on one worker, not 2.'],
  [
    'policies that are obeyed',
    { reduce: ['lmi'] },
    'the check is reduced by lmi already, so the reduction cannot be estimated.',
  ],
  ['symmetry', { estimateReduction: [['symmetry']] }, 'symmetry prunes fault plans, which cannot be estimated.'],
  [
    'a policy that is none',
    { estimateReduction: [['massages' as Policy]] },
    'estimateReduction[0][0] is one of automatic, lmi,',
  ],
  [
    'a policy without a rule',
    { estimateReduction: [['event-independence']] },
    'the system has no rule for event-independence.',
  ],
])('no reduction is estimated with %s', async (_what, options, message) => {
  await expect(check(office([{}]), { estimateReduction: [['lmi']], ...options })).rejects.toThrow(message);
});

test('no reduction is estimated in a resumed check', async () => {
  let from: SavedCheck | undefined;
  const onSave = (saved?: SavedCheck): void => {
    from = saved;
  };
  await check(election('fifo'), { executions: 10, onSave });
  const again = check(election('fifo'), { estimateReduction: [['lmi']], ...(from && { from }) });
  await expect(again).rejects.toThrow('the reduction cannot be estimated for a resumed check.');
});
