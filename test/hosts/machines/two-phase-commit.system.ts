import { behavior, defineSystem, send } from 'culprit';
import { fromMachine } from 'culprit/xstate';
import { coordinator, participant, type CoordinatorEvent, type ParticipantEvent } from './two-phase-commit.ts';

type Message = ParticipantEvent | { readonly type: 'begin' | 'yes' };

const defaults = { abortsAlone: true, asMachines: true, participants: 2, crashes: 0 };

/** The same protocol as machines and as actors. */
export default defineSystem(defaults, ({ abortsAlone, asMachines, participants: count, crashes }) => {
  const participants = Array.from({ length: count }, (_, at) => `p${at + 1}`);
  const processes = asMachines ? machines(participants, abortsAlone) : targetOf(participants, abortsAlone);
  return defineSystem({
    processes,
    faults: { crashes, restarts: crashes },
    workload: [send('coordinator', { type: 'begin' })],
    invariants: {
      oneDecision(world) {
        const decisions = world.up().map(({ state }) => (state as { readonly value: string }).value);
        return !(decisions.includes('committed') && decisions.includes('aborted')) || 'one commits, another aborts';
      },
    },
  });
});

function machines(participants: readonly string[], abortsAlone: boolean) {
  const leader = fromMachine(coordinator, {
    input: () => ({ participants }),
    receive: (message: Message, from) => ({ ...message, from }) as CoordinatorEvent,
    view: ({ value, context }) => ({ value, yes: context.yes }),
  });
  const follower = fromMachine(participant, { input: () => ({ abortsAlone }) });
  return { coordinator: leader, ...Object.fromEntries(participants.map((name) => [name, follower])) };
}

function targetOf(participants: readonly string[], abortsAlone: boolean) {
  const leader = behavior({
    start: () => ({ value: 'idle', yes: [] as string[] }),
    receive(state, { type }: Message, ctx) {
      const tellAll = (message: ParticipantEvent): void => participants.forEach((name) => ctx.send(name, message));
      if (type === 'begin' && state.value === 'idle') {
        state.value = 'voting';
        tellAll({ type: 'prepare' });
        ctx.setTimer('after 100 (voting)', 100);
      } else if (type === 'yes' && state.value === 'voting') {
        state.yes.push(ctx.from);
        if (state.yes.length < participants.length) return;
        state.value = 'committed';
        ctx.cancelTimer('after 100 (voting)');
        tellAll({ type: 'commit' });
      }
    },
    timer(state, _timer, ctx) {
      state.value = 'aborted';
      for (const name of participants) ctx.send(name, { type: 'abort' });
    },
  });
  const follower = behavior({
    start: () => ({ value: 'idle', context: { abortsAlone }, status: 'active' }),
    receive(state, { type }: Message, ctx) {
      if (type === 'prepare' && state.value === 'idle') {
        state.value = 'prepared';
        ctx.send('coordinator', { type: 'yes' });
        ctx.setTimer('after 200 (prepared)', 200);
        return;
      }
      const decides = type === 'commit' ? state.value === 'prepared' : type === 'abort' && state.status === 'active';
      if (!decides) return;
      ctx.cancelTimer('after 200 (prepared)');
      state.value = type === 'commit' ? 'committed' : 'aborted';
      state.status = 'done';
    },
    timer(state) {
      if (!abortsAlone) return;
      state.value = 'aborted';
      state.status = 'done';
    },
  });
  return { coordinator: leader, ...Object.fromEntries(participants.map((name) => [name, follower])) };
}
