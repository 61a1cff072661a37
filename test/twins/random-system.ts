import type { Context } from 'culprit';
import { crash, cut, cutOneWay, heal, healOneWay, pause, restart, resume, send, start, stop } from 'culprit';
import type { AnyBehavior, Declaration, DeclaredLink, Timing, Transport } from 'culprit/kernel';
import type { External, OperationKind } from 'culprit/trace';
import { ENVIRONMENT } from 'culprit/trace';
import fc from 'fast-check';

/**
 * A system that uses every feature, driven by each process's own random numbers. Its processes keep a diary of their
 * actions, outside the kernel, so that a twin can derive the pending events without asking the kernel.
 */
export interface Message {
  /** Unique among the messages of one process. */
  readonly tag: number;
  /** As its sender chose it: answers use it, too. */
  readonly lane?: string | undefined;
}

export interface Profile {
  /** Whether handlers await. */
  readonly awaits: boolean;
  readonly blocking: boolean;
}

export type Fact =
  | { readonly fact: 'enter' | 'leave' | 'throw'; readonly process: string; readonly start: boolean }
  | {
      readonly fact: 'send';
      readonly process: string;
      readonly to: string;
      readonly tag: number;
      readonly asks: boolean;
      readonly lane?: string | undefined;
    }
  | { readonly fact: 'set' | 'cancel'; readonly process: string; readonly timer: string }
  | { readonly fact: 'request'; readonly process: string; readonly operation: OperationKind; readonly key: string }
  | { readonly fact: 'spawn'; readonly process: string; readonly child: string };

export type Diary = (fact: Fact) => void;

export const DECLARED = ['a', 'b', 'c'] as const;
/** Joins when the environment starts it. */
const JOINER = 'x';
/** Exists once `a` has spawned it, which it may never do. */
const CHILD = 'a/worker-1';
export const NAMES = [...DECLARED, JOINER, CHILD];
const TIMERS = ['t', 'u'];
const KEYS = ['k', 'l'];
const LANES = ['fast', 'slow'];

export interface Declared {
  readonly transport: Transport;
  readonly timers: Timing;
  readonly profiles: readonly Profile[];
  /** Links and lanes with rules of their own. With such, processes use lanes. */
  readonly links?: readonly DeclaredLink[];
}

export const anyTransport: fc.Arbitrary<Transport> = fc.record({
  order: fc.constantFrom('fifo', 'unordered'),
  toAbsent: fc.constantFrom('drop', 'keep', 'return'),
  onCrash: fc.record({ to: fc.constantFrom('drop', 'keep'), from: fc.constantFrom('drop', 'keep') }),
  onCut: fc.constantFrom('hold', 'drop'),
});

const anyRules = fc.record(
  {
    order: fc.constantFrom('fifo' as const, 'unordered' as const),
    onCut: fc.constantFrom('hold' as const, 'drop' as const),
    losses: fc.boolean(),
    duplicates: fc.boolean(),
    reports: fc.constantFrom(true, false, 'first' as const),
  },
  { requiredKeys: [] },
);

/** Rules for some links between the declared processes, and for some of their lanes. */
export const anyLinks: fc.Arbitrary<readonly DeclaredLink[]> = fc
  .subarray(
    DECLARED.flatMap((one, at) =>
      DECLARED.slice(at + 1).flatMap((other) => [undefined, ...LANES].map((lane) => ({ one, other, lane }))),
    ),
  )
  .chain((places) =>
    fc.tuple(
      ...places.map(({ one, other, lane }) =>
        anyRules.map((rules): DeclaredLink => ({
          between: [one, other],
          ...(lane === undefined ? {} : { lane }),
          ...rules,
        })),
      ),
    ),
  );

export const profileOf = (profiles: readonly Profile[], process: string): Profile =>
  profiles[(DECLARED as readonly string[]).indexOf(process)] ?? (profiles.at(-1) as Profile);

export function randomSystem({ transport, timers, profiles, links }: Declared, diary: Diary = () => {}): Declaration {
  return {
    processes: new Map(DECLARED.map((name) => [name, anything(profileOf(profiles, name), diary, links !== undefined)])),
    kinds: new Map([['worker', () => anything(profileOf(profiles, JOINER), diary, links !== undefined)]]),
    actions: new Map(),
    transport,
    timers,
    ...(links === undefined ? {} : { links }),
    faults: { crashes: 9, restarts: 9, partitions: 9, losses: 9, duplicates: 9, holds: 9, pauses: 9 },
  };
}

/** Everything the environment might try, possible or not. */
export function anyExternals(
  messages: readonly string[],
  hasLanes = false,
  untils: readonly string[] = [],
): External[] {
  const pairs = DECLARED.flatMap((from) => NAMES.filter((to) => to !== from).map((to) => [from, to] as const));
  return [
    ...DECLARED.map((name) => start(name)),
    start(JOINER, 'worker'),
    ...NAMES.flatMap((name) => [stop(name), crash(name), restart(name), restart(name, { wiped: true })]),
    ...NAMES.flatMap((name) => [pause(name), resume(name), resume(name), send(name, { tag: 0 })]),
    ...pairs.flatMap(([from, to]) => [cut(from, to), cutOneWay(from, to), heal(to, from), healOneWay(from, to)]),
    ...(hasLanes ? pairs.flatMap(([from, to]) => LANES.flatMap((lane) => laneExternals(from, to, lane))) : []),
    cut([], []),
    heal(),
    heal(),
    heal(),
    ...messages.flatMap((target): External[] => [
      { kind: 'lose', target },
      { kind: 'duplicate', target },
      ...untils.map((until): External => ({ kind: 'hold', target, until })),
    ]),
  ];
}

const laneExternals = (from: string, to: string, lane: string): External[] => [
  cut(from, to, { lane }),
  cutOneWay(from, to, { lane }),
  heal(to, from, { lane }),
  healOneWay(from, to, { lane }),
];

interface State {
  readonly seen: number[];
  readonly notes: Map<string, { times: number }>;
}

function anything({ awaits, blocking }: Profile, diary: Diary, hasLanes: boolean): AnyBehavior {
  type C = Context<unknown>;
  const handle = (ctx: C, state: State | undefined, what: string, handled?: Message): void | Promise<void> =>
    watched(new Hand(ctx, diary, hasLanes, handled?.lane), false, (hand) => {
      state?.seen.push(ctx.random.below(100));
      if (state !== undefined) state.notes.set(what, { times: (state.notes.get(what)?.times ?? 0) + 1 });
      hand.act();
      return awaits ? hand.linger() : undefined;
    });
  return {
    blocking,
    start: (ctx) =>
      watched(new Hand(ctx, diary, hasLanes), true, (hand): State | Promise<State> => {
        const state: State = { seen: [ctx.restarts], notes: new Map([[String(ctx.disk.peek('k')), { times: 1 }]]) };
        hand.act();
        return awaits ? hand.linger().then(() => state) : state;
      }),
    receive: (state, message, ctx) => handle(ctx, state as State, `from ${ctx.from}`, message as Message),
    timer: (state, timer, ctx) => handle(ctx, state as State, timer),
    wrote: (state, key, ctx) => handle(ctx, state as State, key),
    returned: (state, _message, to, ctx) => handle(ctx, state as State, `back from ${to}`),
  };
}

function watched<T>(hand: Hand, isStart: boolean, body: (hand: Hand) => T | Promise<T>) {
  const { ctx, diary } = hand;
  const note = (fact: 'enter' | 'leave' | 'throw'): void => diary({ fact, process: ctx.self, start: isStart });
  const ended = (value: T): T => {
    note('leave');
    return value;
  };
  const failed = (error: unknown): never => {
    note('throw');
    throw error as Error;
  };
  note('enter');
  let result: T | Promise<T>;
  try {
    result = body(hand);
  } catch (error) {
    return failed(error);
  }
  return result instanceof Promise ? result.then(ended, failed) : ended(result);
}

/** The actions of one handler call. */
class Hand {
  constructor(
    readonly ctx: Context<unknown>,
    readonly diary: Diary,
    private readonly hasLanes: boolean,
    /** The lane of the message being handled. */
    private readonly answersOn?: string,
  ) {}

  /** Up to three actions at once; sometimes the last one is an exception. */
  act(): void {
    const { random } = this.ctx;
    const deeds = [
      () => this.send(),
      () => this.send(),
      () => this.reply(),
      () => this.ask(),
      () => this.setTimer(),
      () => this.cancelTimer(),
      () => this.write(),
      () => this.read(),
      () => this.spawn(),
    ];
    for (let left = random.below(4); left > 0; left--) random.pick(deeds)();
    if (random.below(30) === 0) throw new Error('boom');
  }

  async linger(): Promise<void> {
    const { random } = this.ctx;
    const waits = [
      () => this.sleep(),
      () => this.write(),
      () => this.read(),
      () => this.patientAsk(),
      () => this.twoAsks(),
    ];
    for (let left = random.below(3); left > 0; left--) {
      await random.pick(waits)();
      this.act();
    }
  }

  private message(to: string, asks: boolean, lane?: string): Message {
    const tag = this.ctx.random.float();
    if (to !== ENVIRONMENT) this.diary({ fact: 'send', process: this.ctx.self, to, tag, asks, lane });
    return lane === undefined ? { tag } : { tag, lane };
  }

  private anyLane(): string | undefined {
    return this.hasLanes ? this.ctx.random.pick([undefined, ...LANES]) : undefined;
  }

  private send(): void {
    const to = this.ctx.random.pick([...NAMES, ...DECLARED, ENVIRONMENT]);
    const lane = this.anyLane();
    this.ctx.send(to, this.message(to, false, lane), { lane });
  }

  private reply(): void {
    this.ctx.reply(this.message(this.ctx.from, false, this.answersOn));
  }

  private ask(): PromiseLike<unknown> {
    const to = this.ctx.random.pick(NAMES);
    const lane = this.anyLane();
    const message = this.message(to, true, lane);
    if (this.ctx.random.below(2) === 0) return this.ctx.ask(to, message, lane === undefined ? undefined : { lane });
    this.diary({ fact: 'request', process: this.ctx.self, operation: 'timeout', key: to });
    const timeoutMs = 1 + this.ctx.random.below(20);
    return this.ctx.ask(to, message, lane === undefined ? timeoutMs : { lane, timeoutMs });
  }

  private setTimer(): void {
    const timer = this.ctx.random.pick(TIMERS);
    this.diary({ fact: 'set', process: this.ctx.self, timer });
    const ms = 1 + this.ctx.random.below(20);
    if (this.ctx.random.below(3) === 0) this.ctx.repeatTimer(timer, ms);
    else this.ctx.setTimer(timer, ms);
  }

  private cancelTimer(): void {
    const timer = this.ctx.random.pick(TIMERS);
    this.diary({ fact: 'cancel', process: this.ctx.self, timer });
    this.ctx.cancelTimer(timer);
  }

  private write(): PromiseLike<unknown> {
    return this.ctx.disk.write(this.request('write', this.ctx.random.pick(KEYS)), { is: [this.ctx.random.below(9)] });
  }

  private read(): PromiseLike<unknown> {
    return this.ctx.disk.read(this.request('read', this.ctx.random.pick(KEYS)));
  }

  private sleep(): PromiseLike<unknown> {
    this.request('sleep', '');
    return this.ctx.sleep(this.ctx.random.below(20));
  }

  private request(operation: OperationKind, key: string): string {
    this.diary({ fact: 'request', process: this.ctx.self, operation, key });
    return key;
  }

  private spawn(): void {
    if (this.ctx.random.below(3) > 0) return;
    this.diary({ fact: 'spawn', process: this.ctx.self, child: this.ctx.spawn('worker') });
  }

  private patientAsk(): PromiseLike<unknown> {
    return this.ask().then(undefined, () => {});
  }

  private twoAsks(): PromiseLike<unknown> {
    return Promise.all([this.ask(), this.ask()]);
  }
}
