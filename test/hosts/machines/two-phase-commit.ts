import { and, assign, enqueueActions, sendTo, setup, type AnyActorRef } from 'xstate';

/** Two-phase commit as two machines: a coordinator, and a participant that votes yes. */

export type CoordinatorEvent = { readonly type: 'begin' } | { readonly type: 'yes'; readonly from: string };
export type ParticipantEvent = { readonly type: 'prepare' } | { readonly type: 'commit' } | { readonly type: 'abort' };

export const coordinator = setup({
  types: {
    context: {} as { readonly participants: readonly string[]; readonly yes: readonly string[] },
    events: {} as CoordinatorEvent,
    input: {} as { readonly participants: readonly string[] },
  },
  actions: {
    tellAll: enqueueActions(({ enqueue, context, system }, { type }: ParticipantEvent) => {
      for (const name of context.participants) enqueue.sendTo(system.get(name), { type });
    }),
    countVote: assign({
      yes: ({ context, event }) => (event.type === 'yes' ? [...context.yes, event.from] : context.yes),
    }),
  },
  guards: { isLast: ({ context }) => context.yes.length + 1 === context.participants.length },
}).createMachine({
  id: 'coordinator',
  context: ({ input: { participants } }) => ({ participants, yes: [] }),
  initial: 'idle',
  states: {
    idle: { on: { begin: 'voting' } },
    voting: {
      entry: { type: 'tellAll', params: { type: 'prepare' } },
      on: {
        yes: [{ guard: and(['isLast']), target: 'committed', actions: 'countVote' }, { actions: 'countVote' }],
      },
      after: { 100: 'aborted' },
    },
    committed: { type: 'final', entry: { type: 'tellAll', params: { type: 'commit' } } },
    aborted: { type: 'final', entry: { type: 'tellAll', params: { type: 'abort' } } },
  },
});

export const participant = setup({
  types: {
    context: {} as { readonly abortsAlone: boolean },
    events: {} as ParticipantEvent,
    input: {} as { readonly abortsAlone: boolean },
  },
  guards: { abortsAlone: ({ context }) => context.abortsAlone },
}).createMachine({
  id: 'participant',
  context: ({ input }) => input,
  initial: 'idle',
  states: {
    idle: { on: { prepare: 'prepared', abort: 'aborted' } },
    prepared: {
      entry: sendTo(({ system }) => system.get('coordinator') as AnyActorRef, { type: 'yes' }),
      on: { commit: 'committed', abort: 'aborted' },
      // A participant that has voted may not decide: the coordinator may have counted the vote.
      after: { 200: { guard: 'abortsAlone', target: 'aborted' } },
    },
    committed: { type: 'final' },
    aborted: { type: 'final' },
  },
});
