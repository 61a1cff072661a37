import { behavior, defineSystem, send, type System } from 'culprit';
import { ticking, type Program } from '../../test/twins/ticking.ts';

/** A system whose violation needs a known number of its inputs. */
export interface TickingCase {
  readonly name: string;
  readonly system: System;
  /** The fewest inputs. */
  readonly optimum: number;
}

interface Message {
  readonly type: string;
}

/** Asks the server on each go, and counts answers. */
const client = behavior<{ asked: number; answers: number }, Message>({
  start: () => ({ asked: 0, answers: 0 }),
  receive(state, { type }, ctx) {
    if (type === 'answer') state.answers += 1;
    if (type !== 'go') return;
    state.asked += 1;
    ctx.send('server', { type: 'ask' });
  },
});

const caseOf = (name: string, server: Program, types: readonly string[], optimum: number): TickingCase => ({
  name,
  optimum,
  system: defineSystem({
    processes: { server: ticking(server), client },
    pace: { roundMs: 50, quietMs: 200 },
    workload: types.map((type) => send(type === 'go' ? 'client' : 'server', { type })),
    invariants: {
      oneAnswer: (world) => {
        const { asked, answers } = world.process('client').state ?? { asked: 0, answers: 0 };
        return answers <= asked;
      },
    },
  }),
});

/** A server that a poke makes answer twice; `armsMs` says how long the poke takes in this session, undefined if it never works. */
function poked(armsMs: (box: Parameters<NonNullable<Program['receive']>>[0]) => number | undefined): Program {
  let isPoked = false;
  return {
    start: () => (isPoked = false),
    receive(box, message) {
      const { type } = message as Message;
      const answer = (): void => box.send('client', { type: 'answer' });
      const ms = type === 'poke' ? armsMs(box) : undefined;
      if (ms !== undefined)
        box.after(ms, () => {
          isPoked = true;
          box.send('client', { type: 'poked' });
        });
      if (type !== 'ask') return;
      box.after(5, answer);
      if (isPoked) box.after(20, answer);
    },
  };
}

const noise = (count: number): string[] => Array.from({ length: count }, (_, at) => `noise ${at}`);

export const tickingCases: readonly TickingCase[] = [
  caseOf(
    'an answer too many',
    poked(() => 30),
    [...noise(3), 'poke', ...noise(3), 'go'],
    2,
  ),
  caseOf(
    'in six of ten sessions',
    poked((box) => (box.dice.below(10) < 6 ? 30 : undefined)),
    [...noise(3), 'poke', ...noise(3), 'go'],
    2,
  ),
  caseOf(
    'the poke takes 20 to 400 ms',
    poked((box) => 20 + box.dice.below(380)),
    [...noise(3), 'poke', ...noise(4), 'go'],
    2,
  ),
];
