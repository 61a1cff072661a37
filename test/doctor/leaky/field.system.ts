import { defineSystem, send, type Behavior } from 'culprit';

class Numbering implements Behavior<{ given: number[] }, 'next'> {
  private next = 0;

  start = () => ({ given: [] });

  receive(state: { given: number[] }): void {
    state.given.push(this.next++);
  }
}

export default defineSystem({
  processes: { numbers: new Numbering() },
  workload: [send('numbers', 'next')],
  invariants: { any: () => true },
});
