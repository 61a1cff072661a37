import { crash, cut, heal, restart, send, stop, type Context } from 'culprit';
import { defaultTransport, noFaults, Random, until, untilDeliveries, untilQuiet } from 'culprit/kernel';
import type { AnyBehavior, Declaration, PlanItem, Transport } from 'culprit/kernel';
import type { Script } from './every-execution.ts';

/** The features of the random systems besides messages. */
export type Feature = 'messages' | 'timers' | 'crashes' | 'stops' | 'cuts' | 'waits' | 'awaits' | 'refusals';

export interface RandomSystem {
  readonly declaration: Declaration;
  readonly scripts: readonly Script[];
}

interface Deed {
  readonly what: 'send' | 'set' | 'cancel' | 'write';
  readonly to: string;
  readonly word: number;
  readonly key: string;
}

interface Note {
  readonly word: number;
  /** The number of messages that may still follow from it. */
  readonly left: number;
}

interface State {
  count: number;
  turns: number;
}

type Ctx = Context<unknown>;
type Table = ReadonlyMap<string, readonly Deed[]>;

const NAMES = ['a', 'b', 'c'] as const;
const KEYS = ['x', 'y'];
const TIMER_WORD = 2;

/**
 * Three processes that count to five, and do what a table says for each message and count, so that every order matters.
 */
export function deeds(feature: Feature, seed: number): RandomSystem {
  const random = Random.seeded(seed, 77);
  const table = tableFor(feature, random);
  const one = process(table, feature === 'awaits');
  return {
    declaration: {
      processes: new Map(NAMES.map((name) => [name, one])),
      kinds: new Map(),
      actions: new Map(),
      transport: transportFor(feature, random),
      timers: 'any',
      faults: noFaults,
    },
    scripts: scriptsFor(feature, random),
  };
}

const kindsFor: Readonly<Record<Feature, readonly Deed['what'][]>> = {
  messages: ['send'],
  timers: ['send', 'send', 'set', 'cancel', 'write'],
  crashes: ['send', 'send', 'send', 'set', 'write'],
  refusals: ['send', 'send', 'write'],
  stops: ['send', 'send', 'send', 'set', 'write'],
  cuts: ['send', 'send', 'set'],
  waits: ['send', 'send', 'set'],
  awaits: ['send', 'send', 'set', 'write'],
};

function tableFor(feature: Feature, random: Random): Table {
  const table = new Map<string, Deed[]>();
  for (const name of NAMES)
    for (const word of [0, 1, TIMER_WORD])
      for (const parity of [0, 1]) {
        const some = Array.from({ length: random.below(3) }, () => ({
          what: random.pick(kindsFor[feature]),
          to: random.pick(NAMES),
          word: random.below(2),
          key: random.pick(KEYS),
        }));
        table.set(`${name} ${word} ${parity}`, some);
      }
  return table;
}

function transportFor(feature: Feature, random: Random): Transport {
  const order = random.pick(['fifo', 'unordered'] as const);
  if (feature === 'messages' || feature === 'timers' || feature === 'waits') return { ...defaultTransport, order };
  const to = random.pick(['drop', 'keep'] as const);
  const from = random.pick(['drop', 'keep'] as const);
  const notice = random.below(3) === 0 ? { notice: { left: 0, word: 1 } } : {};
  return {
    order,
    toAbsent: random.pick(['drop', 'keep', 'return'] as const),
    onCrash: { to, from, ...notice },
    onCut: random.pick(['hold', 'drop'] as const),
  };
}

function scriptsFor(feature: Feature, random: Random): Script[] {
  const left = feature === 'messages' || feature === 'timers' ? 2 : 1;
  const isBusy = feature === 'crashes' || feature === 'stops' || feature === 'cuts' || feature === 'awaits';
  const sends = Array.from({ length: isBusy ? 1 + random.below(2) : 2 }, () =>
    send(random.pick(NAMES), { left, word: random.below(2) }),
  );
  const one = random.pick(NAMES);
  const other = random.pick(NAMES.filter((name) => name !== one));
  const [first, second] = sends as PlanItem[];
  const waits = [untilQuiet(), untilDeliveries(1), until((world) => isOdd(world.process(one).state))];
  const workload = feature === 'waits' ? [first as PlanItem, random.pick(waits), second as PlanItem] : sends;
  // A thread of its own interleaves with the workload at one process, so that workload is short.
  if (feature === 'refusals') {
    const items = [crash(one), first as PlanItem, restart(one), random.pick([crash(one), stop(one)])];
    return [
      { name: 'workload', items, passesOver: true },
      { name: 'faults', items: [crash(one), restart(one)].slice(0, 1 + random.below(2)) },
    ];
  }
  const faults = faultsFor(feature, random, one, other);
  return [{ name: 'workload', items: workload }, ...faults.map((items, at) => ({ name: `faults ${at + 1}`, items }))];
}

/** Events at one process, and at another, or at the link between them. */
function faultsFor(feature: Feature, random: Random, one: string, other: string): PlanItem[][] {
  const some = (...items: readonly PlanItem[]): PlanItem[] => items.slice(0, 1 + random.below(2));
  const maybe = (chance: number, items: () => PlanItem[]): PlanItem[][] =>
    random.below(chance) === 0 ? [items()] : [];
  const lives = (name: string): PlanItem[] => some(crash(name), restart(name));
  switch (feature) {
    case 'crashes':
      return [lives(one), ...maybe(2, () => lives(other))];
    case 'awaits':
      return maybe(2, () => lives(one));
    case 'stops':
      return [some(stop(one), restart(one)), ...maybe(3, () => lives(one))];
    case 'cuts':
      return [some(cut(one, other), heal(one, other)), ...maybe(3, () => [crash(other)])];
    default:
      return [];
  }
}

const isOdd = (state: object | undefined): boolean => ((state as State | undefined)?.count ?? 0) % 2 === 1;

function process(table: Table, awaits: boolean): AnyBehavior {
  const act = (state: State, word: number, left: number, ctx: Ctx): void => {
    for (const deed of table.get(`${ctx.self} ${word} ${state.count % 2}`) ?? []) {
      if (deed.what === 'send' && left > 0) ctx.send(deed.to, { left: left - 1, word: deed.word } satisfies Note);
      if (deed.what === 'set') ctx.setTimer(deed.key, 5);
      if (deed.what === 'cancel') ctx.cancelTimer(deed.key);
      if (deed.what === 'write') void ctx.disk.write(deed.key, deed.word);
    }
  };
  const receive = (state: State, { word, left }: Note, ctx: Ctx): void => {
    state.count = (state.count * 3 + word + 1) % 5;
    act(state, word, left, ctx);
  };
  const later = async (state: State, note: Note, ctx: Ctx): Promise<void> => {
    if (note.word === 1) await ctx.disk.write('z', state.count);
    receive(state, note, ctx);
  };
  return {
    start(ctx) {
      if (ctx.restarts > 0) ctx.send(NAMES.find((name) => name !== ctx.self) as string, { left: 1, word: 0 });
      return { count: Number(ctx.disk.peek('x') ?? 0), turns: 0 };
    },
    receive: (state, note, ctx) => (awaits ? later : receive)(state as State, note as Note, ctx),
    timer(state, _timer, ctx) {
      const own = state as State;
      own.count = (own.count + 2) % 5;
      if (own.turns++ < 2) act(own, TIMER_WORD, 1, ctx);
    },
    wrote(state) {
      const own = state as State;
      own.count = (own.count * 2 + 1) % 5;
    },
  };
}
