import { readFileSync } from 'node:fs';
import { BadSystem, resolveSystem, defaultTransport, noFaults } from 'culprit/kernel';
import { behavior, crash, defineSystem, generate, send } from 'culprit';
import { describe, expect, test } from 'vitest';

const a = { start: () => ({}), receive() {} };
const processes = { a };

const problemOf = (define: () => unknown): string => {
  try {
    define();
  } catch (error) {
    expect(error).toBeInstanceOf(BadSystem);
    return (error as BadSystem).message;
  }
  return 'nothing is wrong';
};

describe('a definition', () => {
  test.each<[definition: unknown, problem: string]>([
    [undefined, 'a system definition is an object with processes, not undefined.'],
    [{}, 'the system has no processes.'],
    [{ process: processes }, 'the system has no field process: did you mean processes?'],
    [{ processes: [a] }, 'processes is an object of behaviors by name, not a list.'],
    [{ processes: { a: 5 } }, 'processes.a is a behavior, an object with the functions start and receive, not 5.'],
    [
      { processes: { a: { ...a, recieve() {} } } },
      'the system has no field processes.a.recieve: did you mean processes.a.receive?',
    ],
    [{ processes, invariant: {} }, 'the system has no field invariant: did you mean invariants?'],
    [{ processes, invariants: [] }, 'invariants is an object of functions, invariants by name, not a list.'],
    [
      { processes, invariants: { one: { evry: 5, holds: () => true } } },
      'the system has no field invariants.one.evry: did you mean invariants.one.every?',
    ],
    [{ processes, transport: { delivery: 'fifo' } }, 'the system has no field transport.delivery.'],
    [
      { processes, transport: { onCrash: { form: 'keep' } } },
      'the system has no field transport.onCrash.form: did you mean transport.onCrash.from?',
    ],
    [{ processes, transport: { onCut: 'keep' } }, 'transport.onCut is one of hold, drop, not "keep".'],
    [{ processes, faults: { crash: 1 } }, 'the system has no field faults.crash: did you mean faults.crashes?'],
    [{ processes, faults: { partitions: 'two' } }, 'faults.partitions is a number, 0 or more, not "two".'],
    [{ processes, timers: { skew: 5 } }, 'the system has no field timers.skew: did you mean timers.skewMs?'],
    [{ processes, timers: 'virtual' }, `timers is 'any', or an object with skewMs, not "virtual".`],
    [{ processes, minimize: { masks: [] } }, 'the system has no field minimize.masks: did you mean minimize.mask?'],
    [
      { processes, reduce: { symetric: [] } },
      'the system has no field reduce.symetric: did you mean reduce.symmetric?',
    ],
    [
      { processes, phrases: { states: () => '' } },
      'the system has no field phrases.states: did you mean phrases.state?',
    ],
    [{ processes, sometimes: { done: true } }, 'sometimes.done is a function, not true.'],
    [
      { processes, triggers: [{ befor: () => true, do: crash('a') }] },
      'the system has no field triggers[0].befor: did you mean triggers[0].before?',
    ],
    [
      { processes, workload: generate(3) },
      'workload is a list, such as [send(…), untilQuiet(), generate(…)], not an object with the fields kind, count, from.',
    ],
  ])('%j', (definition, problem) => {
    expect(problemOf(() => defineSystem(definition as never))).toBe(problem);
  });

  test('may have a generator only of arbitraries in brackets', () => {
    const workload = [(generate as (...of: unknown[]) => never)(3, { generate: () => send('a', 1) })];
    expect(problemOf(() => resolveSystem(defineSystem({ processes, workload })))).toBe(
      'generate takes a weight and an arbitrary in brackets, not an object with the fields generate.',
    );
  });

  test('with parameters has a function behind them', () => {
    expect(problemOf(() => defineSystem({ nodes: 3 }, { processes } as never))).toBe(
      'after the parameters, defineSystem takes a function, not an object with the fields processes.',
    );
    expect(problemOf(() => defineSystem({ nodes: [] } as never, () => defineSystem({ processes })))).toBe(
      'nodes is a text, a number, or true or false, not a list.',
    );
  });
});

describe('a behavior', () => {
  test.each<[given: unknown, problem: string]>([
    [undefined, 'behavior takes a behavior, an object with the functions start and receive, not undefined.'],
    [{}, 'behavior has no start.'],
    [{ start: () => ({}) }, 'behavior has no receive.'],
    [{ start: () => ({}), recieve() {} }, 'behavior has no handler recieve: did you mean receive?'],
    [{ ...a, onTimer() {} }, 'behavior has no handler onTimer: did you mean timer?'],
    [{ ...a, helper() {} }, 'behavior has no handler helper.'],
    [{ ...a, blocking: 'yes' }, 'blocking is true or false, not "yes".'],
  ])('%j', (given, problem) => {
    expect(problemOf(() => behavior(given as never))).toBe(problem);
  });

  test('may be an instance of a class, with its own fields and methods', () => {
    class Counter {
      readonly step = 2;
      start = (): object => ({ n: this.first() });
      receive(): void {}
      first(): number {
        return this.step;
      }
    }
    expect(resolveSystem(defineSystem({ processes: { a: new Counter() } })).declaration.processes.size).toBe(1);
  });
});

describe('a transport', () => {
  const transportOf = (transport: never): unknown =>
    resolveSystem(defineSystem({ processes, transport })).declaration.transport;

  test('takes defaults for omitted fields, also in onCrash', () => {
    expect(transportOf({ onCut: 'drop' } as never)).toEqual({ ...defaultTransport, onCut: 'drop' });
    expect(transportOf({ onCrash: { to: 'keep' } } as never)).toEqual({
      ...defaultTransport,
      onCrash: { to: 'keep', from: 'keep' },
    });
    expect(transportOf('unordered' as never)).toEqual({ ...defaultTransport, order: 'unordered' });
    expect(transportOf({ order: undefined } as never)).toEqual(defaultTransport);
  });

  test('and faults have the defaults of the reference', () => {
    const readme = readFileSync(new URL('../../docs/reference/system.md', import.meta.url), 'utf8');
    const rows = [...readme.matchAll(/^\| `((?:transport|faults)\.[\w.]+)` \| `?([^|`]+)`? \|/gm)].map(
      ([, name, byDefault]) => [name, byDefault],
    );
    const { onCrash, ...rest } = defaultTransport;
    expect(Object.fromEntries(rows)).toEqual({
      ...named('transport', rest),
      ...named('transport.onCrash', onCrash),
      'transport.onCrash.notice': 'none',
      ...named('faults', noFaults),
    });
  });

  const named = (prefix: string, values: object): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, String(value)]));
});
