/** Asks the server when it gets a go, and counts the answers. */
const client = `const client = behavior({
  start: () => ({ asked: 0, answers: 0 }),
  receive(state, message, ctx) {
    if (message.type === 'answer') state.answers += 1;
    if (message.type !== 'go') return;
    state.asked += 1;
    ctx.send('server', { type: 'ask' });
  },
});
`;

/** The rest of a definition, after the workload. */
const judged = `  invariants: {
    oneAnswer: (world) => {
      const { asked, answers } = world.process('client').state ?? { asked: 0, answers: 0 };
      return answers <= asked || answers + ' answers to ' + asked + ' questions';
    },
  },
});
`;

/** A system in a file, whose server is a black box on a fake clock: a poke makes it answer the next question twice. */
export const tickingModule = `import { behavior, defineSystem, send } from 'culprit';
import { FakeClock } from 'culprit/kernel';

const host = { name: 'ticking', repeatable: false, controlled: false, clock: () => new FakeClock() };

const server = {
  host,
  start: (io) => ({ io, isOver: false, isPoked: false }),
  receive(box, message) {
    const after = (ms, act) => box.io.clock.after(ms, () => box.isOver || act());
    const poke = () => { box.isPoked = true; box.io.observe('poked', { by: message.type }); };
    if (message.type === 'poke') after(30, poke);
    if (message.type !== 'ask') return;
    after(5, () => box.io.send('client', { type: 'answer' }));
    if (box.isPoked) after(20, () => box.io.send('client', { type: 'answer' }));
  },
  view: ({ isPoked }) => ({ isPoked }),
  close(box) { box.isOver = true; },
};

${client}
export default defineSystem({
  processes: { server, client },
  pace: { roundMs: 50, quietMs: 200 },
  workload: ['go', 'noise', 'poke', 'noise', 'go'].map((type) => send(type === 'go' ? 'client' : 'server', { type })),
${judged}`;

/** The same bug in a class. */
export const opaqueModule = `import { behavior, defineSystem, fromClass, send } from 'culprit';

class Server {
  #isPoked = false;
  constructor(io) { this.io = io; }
  take({ type }) {
    if (type === 'poke') this.#isPoked = true;
    if (type !== 'ask') return;
    this.io.send('client', { type: 'answer' });
    if (this.#isPoked) this.io.send('client', { type: 'answer' });
  }
  get view() { return { isPoked: this.#isPoked }; }
}

const server = fromClass(Server, { receive: (object, message) => object.take(message), view: ({ view }) => view });

${client}
export default defineSystem({
  processes: { server, client },
  workload: [send('server', { type: 'poke' }), send('client', { type: 'go' })],
${judged}`;
