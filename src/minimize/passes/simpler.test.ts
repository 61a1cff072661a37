import { expect, test } from 'vitest';
import { cut, heal, send, start } from '../../system/externals.ts';
import { digestText } from '../../trace/digest.ts';
import { ENVIRONMENT, type Event, type External, type ExternalEvent } from '../../trace/event.ts';
import { noRules, type Rules } from '../rules.ts';
import { isSimpler } from './simpler.ts';

const rules: Rules = { ...noRules, processes: ['a', 'b', 'c'], peers: [['a', 'b', 'c']] };

const external = (one: External): ExternalEvent => ({
  ...one,
  process: 'process' in one ? one.process : ENVIRONMENT,
  cause: -1,
  ...digestText(one.kind),
});

const fire = (process: string): Event => ({
  kind: 'fire',
  process,
  cause: 0,
  timer: 't',
  deadlineMs: 0,
  everyMs: 0,
  ...digestText('fire'),
});

const execution = (...events: readonly (External | Event)[]) => ({
  events: events.map((one) => ('hi' in one ? one : external(one))),
  rules,
});

const loss: External = { kind: 'lose', target: '' };
const [a, b, c] = [start('a'), start('b'), start('c')];

/** Each is simpler than the next. */
const chain = {
  'fewer events': [execution(a), execution(a, b)],
  'as many, but fewer by the environment': [execution(a, fire('a')), execution(a, heal())],
  'one event less, however bad the rest is': [execution(cut('a', 'b')), execution(a, fire('a'))],
  'a loss, a cut of one link, of two, of all': [
    execution(a, b, c, loss),
    execution(a, b, c, { kind: 'cut', links: [['a', 'b']] }),
    execution(a, b, c, cut('a', 'b')),
    execution(a, b, c, cut([], [])),
  ],
  'a weaker fault, whatever is said': [
    execution(a, loss, send('a', 'a long story')),
    execution(a, cut('a', 'b'), send('a', '')),
  ],
  'less to say, then what comes first': [
    execution(send('a', { yes: false })),
    execution(send('a', { yes: true })),
    execution(send('a', { yes: 9 })),
    execution(send('a', { yes: 10 })),
    execution(send('a', { yes: 'no' })),
    execution(send('a', { yes: 'yes' })),
  ],
  'less content, in any external': [
    execution(send('a', 1), fire('c'), fire('a')),
    execution(send('a', 10), fire('a'), fire('b')),
  ],
  'names in their order': [
    execution(b, a, fire('a'), fire('b')),
    execution(a, b, fire('b'), fire('a')),
    execution(a, b, fire('c'), fire('b')),
  ],
};

test.each(Object.entries(chain))('%s', (_what, executions) => {
  for (const [at, one] of executions.entries()) {
    for (const [other, than] of executions.entries())
      expect([at, other, isSimpler(one, than)]).toEqual([at, other, at < other]);
  }
});
