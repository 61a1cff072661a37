import { command, stdio } from 'culprit/live';
import type { AnyBehavior } from 'culprit/kernel';
import { testHost } from '../hosts/conformance.ts';

const obedient = [process.execPath, `${import.meta.dirname}/programs/obedient.mjs`];

/** The value that the program printed last. */
const valueIn = (lines: readonly string[]): number =>
  Number(lines.findLast((line) => line.startsWith('value '))?.slice('value '.length) ?? 0);

function counted(calls: string[]): AnyBehavior {
  const program = command(obedient, { connect: stdio(), view: ({ err }) => ({ value: valueIn(err) }) }) as AnyBehavior;
  return {
    ...program,
    start(ctx) {
      calls.push('start');
      return program.start(ctx);
    },
    receive(subject, message, ctx) {
      calls.push('take');
      return program.receive(subject, message, ctx);
    },
    close(subject, ending) {
      calls.push('close');
      return program.close?.(subject, ending);
    },
  };
}

testHost({
  name: 'live, over standard input and output',
  guarantees: { forkable: false, repeatable: false, controlled: false },
  seesItsEnd: true,
  make: counted,
});
