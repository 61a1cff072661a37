/** The shapes of states and messages of the random systems, and the actions and tests of handlers on them. */
export interface State {
  n: number;
  turns: number;
  [field: string]: unknown;
}

interface Job {
  v: number;
  owner?: unknown;
}

interface TreeNode {
  parent?: TreeNode | undefined;
  children: TreeNode[];
}

/** The body of a message; its contents depend on the shape. */
export type Body = Readonly<Record<string, unknown>> | undefined;

type Change = (state: State, body: Body, word: number) => unknown;
type Test = (state: State, body: Body) => boolean;
type Make = (state: State, word: number) => Body;

/** Creates missing parts: for handlers only. */
const made = <T>(state: State, field: string, make: () => T): T => (state[field] ??= make()) as T;
const madeJobs = (state: State): Job[] => made(state, 'jobs', () => []);
const madeIndex = (state: State): Map<unknown, unknown> => made(state, 'index', () => new Map());
const madeBag = (state: State): Record<string, unknown> => made(state, 'bag', () => ({}));
const madeList = (state: State): unknown[] => made(state, 'list', () => []);
const madeSet = (state: State): Set<unknown> => made(state, 'set', () => new Set());
const madeNode = (state: State): TreeNode => made(state, 'node', () => ({ children: [] }));

/** Reads only: for invariants too. */
const jobsOf = (state: State): readonly Job[] => (state['jobs'] ?? []) as Job[];
const indexOf = (state: State): ReadonlyMap<unknown, unknown> => (state['index'] ?? new Map()) as Map<unknown, unknown>;
const bagOf = (state: State): object => state['bag'] ?? {};
const listOf = (state: State): readonly unknown[] => (state['list'] ?? []) as unknown[];
const setOf = (state: State): ReadonlySet<unknown> => (state['set'] ?? new Set()) as Set<unknown>;
const nodeOf = (state: State): TreeNode => (state['node'] ?? { children: [] }) as TreeNode;
const current = (state: State): Job | undefined => state['current'] as Job | undefined;
const last = (state: State): Job | undefined => jobsOf(state).at(-1);

/** Related parts: a system has one theme, so that the effects of one handler are visible to another. */
interface Theme {
  readonly changes: Readonly<Record<string, Change>>;
  readonly tests: Readonly<Record<string, Test>>;
  readonly bodies?: Readonly<Record<string, Make>>;
}

const jobs: Theme = {
  changes: {
    pushAlias(state, _body, word) {
      const job: Job = { v: word };
      madeJobs(state).push(job);
      state['current'] = job;
    },
    pushCopy(state, _body, word) {
      madeJobs(state).push({ v: word });
      state['current'] = { v: word };
    },
    bumpCurrent: (state) => bump(current(state)),
    bumpLast: (state) => bump(last(state)),
  },
  tests: {
    currentIsListed: (state) => current(state) !== undefined && jobsOf(state).includes(current(state) as Job),
    currentIsNotListed: (state) => current(state) !== undefined && !jobsOf(state).includes(current(state) as Job),
    valuesDiffer: (state) => current(state)?.v !== last(state)?.v,
  },
  bodies: { jobAndCurrent: (state) => ({ first: last(state), second: current(state) }) },
};

const keys: Theme = {
  changes: {
    pushAlias: jobs.changes['pushAlias'] as Change,
    indexLast(state, _body, word) {
      const job = last(state);
      if (job !== undefined) madeIndex(state).set(job, word);
    },
    indexCopy: (state, _body, word) => madeIndex(state).set({ v: word }, word),
    setLast(state) {
      const job = last(state);
      if (job !== undefined) madeSet(state).add(job);
    },
  },
  tests: {
    keyIsListed: (state) => [...indexOf(state).keys()].some((key) => jobsOf(state).includes(key as Job)),
    currentHasPlace: (state) => indexOf(state).has(state['current']),
    setHasCurrent: (state) => setOf(state).has(state['current']),
  },
};

const letters: Theme = {
  changes: {
    keepBody(state, body) {
      state['kept'] = body;
      state['part'] = body?.['first'];
    },
    bumpKept: (state) => bump((state['kept'] as Body)?.['first'] as Job | undefined),
    bumpPart: (state) => bump(state['part'] as Job | undefined),
  },
  tests: {
    bodyIsTwice: (state, body) => same(body) || same(state['kept'] as Body),
    partIsKept: (state) => state['part'] !== undefined && state['part'] === (state['kept'] as Body)?.['second'],
    partsDiffer: ({ kept }) =>
      ((kept as Body)?.['first'] as Job | undefined)?.v !== ((kept as Body)?.['second'] as Job | undefined)?.v,
  },
  bodies: {
    sameTwice(_state, word) {
      const job: Job = { v: word };
      return { first: job, second: job };
    },
    equalTwice: (_state, word) => ({ first: { v: word }, second: { v: word } }),
    keptAgain: (state) => state['kept'] as Body,
  },
};

const tree: Theme = {
  changes: {
    addChild(state) {
      const node = madeNode(state);
      if (node.children.length < 2) node.children.push({ parent: node, children: [] });
    },
    addOrphan(state) {
      const node = madeNode(state);
      if (node.children.length < 2) node.children.push({ parent: { children: [] }, children: [] });
    },
    moveChild(state) {
      const child = madeNode(state).children.pop();
      if (child === undefined) return;
      child.parent = undefined;
      state['moved'] = child;
    },
  },
  tests: {
    childKnowsParent: (state) => nodeOf(state).children.some(({ parent }) => parent === state['node']),
    childIsOrphan: (state) => nodeOf(state).children.some(({ parent }) => parent !== state['node']),
  },
  bodies: { tree: (state) => ({ self: nodeOf(state) }) },
};

const itself: Theme = {
  changes: {
    pointAtItself: (state) => void (state['me'] = state),
    pointAtCopy: (state) => void (state['me'] = { n: state.n }),
    mapToItself: (state) => madeIndex(state).set('map', state['index']),
    keepBody: (state, body) => void (state['kept'] = body),
  },
  tests: {
    isItself: (state) => state['me'] === state,
    isNotItself: (state) => state['me'] !== undefined && state['me'] !== state,
    mapHasItself: (state) => state['index'] !== undefined && indexOf(state).get('map') === state['index'],
    keptHasItself: (state, body) => around(state['kept'] as Body) || around(body),
  },
  bodies: {
    itself() {
      const body: Record<string, unknown> = {};
      body['self'] = body;
      return body;
    },
    notItself: () => ({ self: {} }),
    keptAgain: (state) => state['kept'] as Body,
  },
};

const numbers: Theme = {
  changes: {
    minusZero: (state) => void (state['x'] = -0),
    plusZero: (state) => void (state['x'] = 0),
    notANumber: (state) => void (state['x'] = Number.NaN),
    bigZero: (state) => void (state['x'] = 0n),
    keepBody: (state, body) => void (state['x'] = body?.['zero']),
  },
  tests: {
    isMinusZero: (state) => Object.is(state['x'], -0),
    isPlusZero: (state) => Object.is(state['x'], 0),
    isNaN: (state) => Number.isNaN(state['x']),
    isBig: (state) => typeof state['x'] === 'bigint',
  },
  bodies: {
    zeros: (_state, word) => ({ zero: word === 0 ? 0 : -0 }),
    extremes: () => ({ zero: -0, nan: Number.NaN, big: 1n, none: undefined, nothing: null }),
  },
};

const fields: Theme = {
  changes: {
    undefinedX: (state) => void (state['x'] = undefined),
    oneX: (state) => void (state['x'] = 1),
    deleteX: (state) => void delete state['x'],
    undefinedY: (state) => void (state['y'] = undefined),
    keyP: (state) => void (madeBag(state)['p'] = 1),
    keyQ: (state) => void (madeBag(state)['q'] = 1),
    nullBag: (state) => void (state['bag'] = Object.assign(Object.create(null) as object, state['bag'])),
    plainBag: (state) => void (state['bag'] = { ...(state['bag'] as object | undefined) }),
  },
  tests: {
    hasX: (state) => 'x' in state,
    hasUndefinedX: (state) => 'x' in state && state['x'] === undefined,
    yIsLast: (state) => Object.keys(state).at(-1) === 'y',
    bagStartsWithQ: (state) => Object.keys(bagOf(state))[0] === 'q',
    bagIsNull: (state) => Object.getPrototypeOf(bagOf(state)) === null,
  },
  bodies: { keysAsTheyAre: (state) => ({ ...bagOf(state) }) },
};

const lists: Theme = {
  changes: {
    fillFirst: (state) => void (madeList(state)[0] = undefined),
    fillSecond: (state) => void (madeList(state)[1] = 1),
    mapP: (state) => madeIndex(state).set('p', 0),
    mapQ: (state) => madeIndex(state).set('q', undefined),
    setP: (state) => madeSet(state).add('p'),
    setQ: (state) => madeSet(state).add('q'),
    keepBody: (state, body) => void (state['list'] = body?.['list']),
  },
  tests: {
    hasHole: (state) => listOf(state).length > 0 && !(0 in listOf(state)),
    isDense: (state) => listOf(state).length > 0 && 0 in listOf(state),
    mapStartsWithQ: (state) => indexOf(state).keys().next().value === 'q',
    setStartsWithQ: (state) => setOf(state).values().next().value === 'q',
  },
  bodies: {
    sparse(_state, word) {
      const list: unknown[] = [];
      list[1] = word;
      return { list };
    },
    dense: (_state, word) => ({ list: [undefined, word] }),
    all: (state) => ({ list: listOf(state), set: setOf(state), map: indexOf(state) }),
  },
};

const themes: Readonly<Record<string, Theme>> = { jobs, keys, letters, tree, itself, numbers, fields, lists };

export const themesOf = {
  aliases: ['jobs', 'keys', 'letters'],
  cycles: ['tree', 'itself'],
  values: ['numbers', 'fields', 'lists'],
} as const satisfies Record<string, readonly string[]>;

export type Shape = keyof typeof themesOf;

/** The names in a theme, as in `jobs.pushAlias`. */
export const namesOf = (theme: string, what: keyof Theme): string[] =>
  Object.keys((themes[theme] as Theme)[what] ?? {}).map((name) => `${theme}.${name}`);

export const changeCalled = (name: string): Change => called('changes', name) as Change;
export const testCalled = (name: string): Test => called('tests', name) as Test;
export const bodyCalled = (name: string): Make => called('bodies', name) as Make;

function called(what: keyof Theme, name: string): unknown {
  const [theme = '', own = ''] = name.split('.');
  return themes[theme]?.[what]?.[own];
}

function bump(job: Job | undefined): void {
  if (job !== undefined) job.v = (job.v + 1) % 3;
}

const same = (body: Body): boolean =>
  typeof body?.['first'] === 'object' && body['first'] !== null && body['first'] === body['second'];
const around = (body: Body): boolean => body !== undefined && body['self'] === body;
