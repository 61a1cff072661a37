import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as culprit from './index.ts';
import * as kernel from './kernel.ts';
import * as live from './hosts/live/index.ts';
import * as maelstrom from './maelstrom/index.ts';
import * as networks from './networks/index.ts';
import * as report from './report.ts';
import * as xstate from './hosts/xstate.ts';
import { checkOptions } from './check/options.ts';
import { doctorOptions } from './doctor/doctor.ts';
import { diffOptions } from './explain/diff-lines.ts';
import { explainOptions } from './explain/story-report.ts';
import { storyOptions } from './explain/table.ts';
import { whyOptions } from './explain/why/why-lines.ts';
import { pcapngOptions } from './export/pcapng/pcapng.ts';
import { huntOptions } from './hunt/hunt.ts';
import { nearest } from './text/did-you-mean.ts';
import { BadOption, type Options } from './kernel/options/options.ts';
import { inputsOptions } from './minimize/minimize-inputs.ts';
import { minimizeOptions } from './minimize/options.ts';
import { budgetOptions } from './oracles/linearizability/budget.ts';
import { progressOptions } from './oracles/progress.ts';
import { recheckOptions } from './replay/recheck.ts';
import { replayOptions } from './replay/replay.ts';
import { searchOptions } from './hunt/options.ts';
import type { Trace } from './trace/format.ts';
import { strategyOptions } from './schedule/strategies.ts';
import { explainWhyOptions } from './explain/why/options.ts';

const system = culprit.defineSystem({ processes: { a: { start: () => ({}), receive() {} } } });
const trace = { header: {}, events: [], pending: [], verdict: {} } as unknown as Trace;

type Shown = Pick<Options<never>, 'who' | 'schema'>;

interface Taken {
  readonly options: Shown;
  /** Calls the function with these. */
  readonly call: (given: never) => unknown;
}

/** All that a strategy has to know. */
const base = { seed: 0, plan: { items: [], startsFirst: 0, triggers: [] }, steps: 0 };

/** Every public type of options, and who takes them. */
const taken: Readonly<Record<string, Taken>> = {
  CheckOptions: { options: checkOptions, call: (given) => culprit.check(system, given) },
  DoctorOptions: { options: doctorOptions, call: (given) => culprit.doctor(system, given) },
  DiffOptions: { options: diffOptions, call: (given) => report.diffLines(trace, trace, given) },
  ExplainOptions: { options: explainOptions, call: (given) => report.explainLines(trace, given) },
  ExplainWhyOptions: { options: explainWhyOptions, call: (given) => culprit.explainWhy(system, trace, given) },
  PcapngOptions: { options: pcapngOptions, call: (given) => report.pcapngOf(trace, given) },
  StoryOptions: { options: storyOptions, call: (given) => report.storyLines([], given) },
  WhyOptions: { options: whyOptions, call: (given) => report.whyLines({} as never, trace, given) },
  HuntOptions: { options: huntOptions, call: (given) => culprit.hunt(system, given) },
  MinimizeOptions: { options: minimizeOptions, call: (given) => culprit.minimize(system, trace, given) },
  MinimizeInputsOptions: {
    options: inputsOptions,
    call: (given) => kernel.minimizeInputs([], () => 'violated', given),
  },
  ProgressOptions: { options: progressOptions, call: (given) => culprit.progress(() => true, given) },
  RecheckOptions: { options: recheckOptions, call: (given) => culprit.recheck(system, trace, given) },
  ReplayOptions: { options: replayOptions, call: (given) => culprit.replay(system, trace, given) },
  StrategyOptions: {
    options: strategyOptions,
    call: (given: unknown) =>
      kernel.strategyCalled('random')(
        (typeof given === 'object' && given !== null ? { ...base, ...given } : given) as never,
      ),
  },
  SearchOptions: { options: searchOptions, call: (given) => culprit.search(system, given) },
  Budget: { options: budgetOptions, call: (given) => culprit.checkLinearizable([], culprit.models.register(0), given) },
};

const entriesOf = ({ schema }: Shown): string[] =>
  Object.keys((schema as unknown as { entries: Readonly<Record<string, unknown>> }).entries);

const wrongness = async (call: () => unknown): Promise<string> => {
  const error: unknown = await Promise.resolve()
    .then(call)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BadOption);
  return (error as BadOption).message;
};

const entry = (name: string): string => readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8');

/** Options of the execution loop, which only authors call. */
const ofAuthors = ['ExecutionOptions'];

test('every public type of options is looked at', () => {
  const entries = ['index', 'kernel', 'report'].map(entry).join('\n');
  const types = new Set([...entries.matchAll(/\b(\w+Options|Budget)\b/g)].map(([type]) => type));
  expect(types.size).toBeGreaterThan(10);
  for (const type of types) expect([...Object.keys(taken), ...ofAuthors]).toContain(type);
});

test('users get these names, and no more', () => {
  const types = [...entry('index').matchAll(/export type \{([^}]*)\}|\btype (\w+)/g)]
    .flatMap(([, list, one]) => one ?? (list as string).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  expect(types.sort()).toEqual([
    'Behavior',
    'CheckOptions',
    'Context',
    'Effect',
    'HuntOptions',
    'Invariant',
    'Io',
    'Judgment',
    'Model',
    'Oracle',
    'Parameter',
    'Phrases',
    'ProcessView',
    'ReductionRules',
    'RunningProcess',
    'System',
    'World',
  ]);
  expect(Object.keys(culprit).sort()).toEqual([
    'BadParameter',
    'CulpritError',
    'NotDeterministic',
    'Undecided',
    'ViolationFound',
    'act',
    'behavior',
    'check',
    'checkLinearizable',
    'crash',
    'cut',
    'cutOneWay',
    'defineSystem',
    'delay',
    'doctor',
    'explainWhy',
    'fromClass',
    'generate',
    'heal',
    'healOneWay',
    'hunt',
    'linearizable',
    'lose',
    'minimize',
    'models',
    'pause',
    'progress',
    'readHistory',
    'recheck',
    'replay',
    'restart',
    'resume',
    'search',
    'send',
    'start',
    'stop',
    'until',
    'untilDeliveries',
    'untilQuiet',
  ]);
});

test('users of live programs get these names more', () => {
  expect(Object.keys(live).sort()).toEqual([
    'NoMessage',
    'Unreadable',
    'command',
    'execute',
    'fingerprintOf',
    'http1',
    'jsonLines',
    'lengthPrefixed',
    'operator',
    'raw',
    'request',
    'resp',
    'stdio',
    'tcp',
  ]);
});

test("users of Maelstrom's protocol get these names more", () => {
  expect(Object.keys(maelstrom).sort()).toEqual(['maelstrom', 'maelstromLines', 'services']);
});

test('users of networks get these names more', () => {
  expect(Object.keys(networks).sort()).toEqual([
    'CannotEncode',
    'Decoder',
    'HeaderSpace',
    'allPairsConnected',
    'applyFlowMod',
    'buildFrame',
    'byPriority',
    'controller',
    'controllerBehavior',
    'controllersAlive',
    'defineNetwork',
    'emptyTable',
    'errorReply',
    'failControl',
    'fatTree',
    'fieldsOf',
    'flowMod',
    'flowRemoved',
    'hasHeaders',
    'isolation',
    'linear',
    'lookUp',
    'loseFlowMod',
    'matchFields',
    'may',
    'mesh',
    'mustNot',
    'network',
    'networkFingerprint',
    'networkPhrases',
    'networkStateOf',
    'nextExpiryMs',
    'noBlackholes',
    'noInvalidPorts',
    'noLoops',
    'noOverlap',
    'noStorm',
    'noTwoLoops',
    'normalMatch',
    'onLink',
    'openVSwitch',
    'openflow10',
    'openflowSwitch',
    'output',
    'packetOut',
    'packetPath',
    'packetsOfPcap',
    'packetsOfSts',
    'parseFrame',
    'persistentConnectivity',
    'publishedFaults',
    'publishedTraffic',
    'receivedBy',
    'recoverControl',
    'removeExpired',
    'resetChannel',
    'ring',
    'runActions',
    'sessionAffinity',
    'switchAt',
    'switchesConnected',
    'tableErrorsHeeded',
    'tablesMatch',
    'topologyFrom',
    'vlanSlice',
  ]);
});

test('users of XState get one function more', () => {
  expect(Object.keys(xstate)).toEqual(['fromMachine']);
});

describe.each(Object.entries(taken))('%s:', (_type, { options, call }) => {
  const { who } = options;
  const names = entriesOf(options);

  test('an option that there is not is named, with what was meant', async () => {
    expect(await wrongness(() => call({ nonsense: 1 } as never))).toBe(`${who} has no option nonsense.`);
    for (const name of names) {
      const misspelled = `${name}s`;
      if (names.includes(misspelled)) continue;
      const problem = await wrongness(() => call({ [misspelled]: 1 } as never));
      expect(problem).toBe(`${who} has no option ${misspelled}: did you mean ${nearest(misspelled, names)}?`);
    }
  });

  test('a value that an option cannot have is named', async () => {
    for (const name of names.filter((known) => known !== 'from' && known !== 'alignment')) {
      const problem = await wrongness(() => call({ [name]: Symbol('odd') } as never));
      expect(problem).toMatch(new RegExp(`^${name} is (a|an|one|true|false)\\b.*, not Symbol\\(odd\\)\\.$`));
    }
  });

  test('what is no object of options is named', async () => {
    expect(await wrongness(() => call(7 as never))).toBe(`${who} takes an object of options, not 7.`);
    expect(await wrongness(() => call(null as never))).toBe(`${who} takes an object of options, not null.`);
  });
});

test('an option that is undefined is as one that was not given', async () => {
  const { executions } = await culprit.search(system, {
    executions: 3,
    eventsMax: undefined as never,
    seed: undefined as never,
  });
  expect(executions).toBe(3);
});

describe('what is no system', () => {
  const bare = { processes: {} };

  test.each<[string, (given: never) => Promise<unknown>]>([
    ['check', (given) => culprit.check(given)],
    ['doctor', (given) => culprit.doctor(given)],
    ['explainWhy', (given) => culprit.explainWhy(given, trace)],
    ['hunt', (given) => culprit.hunt(given)],
    ['minimize', (given) => culprit.minimize(given, trace)],
    ['recheck', (given) => culprit.recheck(given, trace)],
    ['replay', (given) => culprit.replay(given, trace)],
    ['search', (given) => culprit.search(given)],
  ])('is refused by %s', async (who, call) => {
    expect(await wrongness(() => call({} as never))).toBe(`${who} takes a system, not an object without fields.`);
    expect(await wrongness(() => call(undefined as never))).toBe(`${who} takes a system, not undefined.`);
    expect(await wrongness(() => call(bare as never))).toBe(
      `${who} takes a system, not an object with the fields processes.`,
    );
  });
});
