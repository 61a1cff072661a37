/** The source of a system whose only message makes a handler throw, two calls deep. */
export const payment = `import { behavior, defineSystem, send } from 'culprit';

function charge(amount: number): void {
  if (amount > 1) throw new Error('declined');
}

const bank = behavior<object, number>({
  start: () => ({}),
  receive(_state, amount) {
    charge(amount);
  },
});

export default defineSystem({ processes: { bank }, workload: [send('bank', 2)] });
`;
