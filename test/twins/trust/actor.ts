import type { Context } from 'culprit';
import type { AnyBehavior, LinkReport } from 'culprit/kernel';
import { hiddenParts, onlyInStates } from './hidden-parts.ts';
import type { Handler, Role, Step } from './script.ts';
import { bodyCalled, changeCalled, testCalled, type Body, type State } from './shapes.ts';

export interface Message {
  /** The number of messages that may still follow from it; below 0 for an answer. */
  readonly left: number;
  readonly word: number;
  readonly body?: Body;
}

/** Reports the actions of scripts to the brute force, so that it need not trust the kernel. */
export interface Sink {
  /** Whether a step made a hidden part. */
  hidden: boolean;
  /** Whether a script ended in an uncaught exception. */
  threw: boolean;
  /** The number of scripts that await a plain promise: 0 after every event. */
  ticking: number;
}

export const emptySink = (): Sink => ({ hidden: false, threw: false, ticking: 0 });

interface Call {
  readonly state: State;
  readonly message: Message;
  readonly ctx: Context<unknown>;
  readonly sink: Sink;
  /** Of a start: whether it has returned its state. The process has a copy, so later changes of that object are lost. */
  readonly start?: { hasReturned: boolean };
}

/** A report on a link has effects like a message. */
const asMessage = (given: Message | LinkReport): Message =>
  'isUp' in given ? { left: 1, word: Number(given.isUp) } : given;

const LIMIT_MS = 5;
const TURNS_MAX = 2;

/** A timer that is never canceled. */
export const FOREVER = 'forever';

/** A process that runs its script. */
export function actor(role: Role, sink: Sink): AnyBehavior {
  const call = (handler: Handler, state: object, message: Message, ctx: Context<unknown>): void | Promise<void> =>
    run(handler, { state: state as State, message, ctx, sink });
  return {
    blocking: role.blocking,
    start(ctx) {
      const state: State = { n: Number(ctx.disk.peek('k') ?? 0), turns: 0 };
      const start = { hasReturned: false };
      const returned = (): State => {
        start.hasReturned = true;
        return state;
      };
      const started = run(role.start, { state, message: { left: 1, word: 0 }, ctx, sink, start });
      return started === undefined ? returned() : started.then(returned);
    },
    receive(state, given, ctx) {
      const message = asMessage(given as Message | LinkReport);
      const { n } = state as State;
      const handlers = role.receive[message.word];
      return handlers && call(handlers[n % 2 === 0 ? 0 : 1], state, message, ctx);
    },
    timer(state, timer, ctx) {
      const own = state as State;
      if (own.turns >= TURNS_MAX) return timer === FOREVER ? undefined : ctx.cancelTimer(timer);
      own.turns += 1;
      return call(role.timer, state, { left: 1, word: 1 }, ctx);
    },
    wrote: (state, _key, ctx) => call(role.wrote, state, { left: 0, word: 1 }, ctx),
    returned(state) {
      count(state as State, 2);
    },
  };
}

function run({ manner, steps }: Handler, call: Call): void | Promise<void> {
  if (manner === 'plain') return noting(call, () => runPlain(steps, call));
  const running = runNoting(steps, call);
  return manner === 'async' ? running : undefined;
}

/** Notes an exception, and rethrows it. */
function noting(call: Call, work: () => void): void {
  try {
    work();
  } catch (error) {
    call.sink.threw = true;
    throw error;
  }
}

async function runNoting(steps: readonly Step[], call: Call): Promise<void> {
  try {
    await runAsync(steps, call);
  } catch (error) {
    call.sink.threw = true;
    throw error;
  }
}

function runPlain(steps: readonly Step[], call: Call): void {
  for (const step of steps) {
    if (step.do === 'if') {
      if (testCalled(step.test)(call.state, call.message.body)) runPlain(step.steps, call);
    } else void begin(step, call);
  }
}

async function runAsync(steps: readonly Step[], call: Call): Promise<void> {
  for (const step of steps) {
    if (step.do === 'if') {
      if (testCalled(step.test)(call.state, call.message.body)) await runAsync(step.steps, call);
    } else if (step.do === 'ticks') {
      call.sink.ticking += 1;
      // oxlint-disable-next-line typescript/await-thenable, unicorn/no-unnecessary-await -- as users write it: it takes a microtask
      for (let left = step.times; left > 0; left--) await null;
      call.sink.ticking -= 1;
    } else if ('wait' in step && step.wait) await finished(step, call);
    else void begin(step, call);
  }
}

/** An awaited step, and the use of its result. */
async function finished(step: Step, call: Call): Promise<void> {
  const { state } = call;
  if (step.do === 'ask' && step.catches) {
    try {
      count(state, wordOf(await begin(step, call)));
    } catch {
      count(state, 4);
    }
    return;
  }
  const result = await begin(step, call);
  if (step.do === 'ask') count(state, wordOf(result));
  if (step.do === 'read') count(state, Number(result ?? 3));
}

const wordOf = (answer: unknown): number => (answer as Message | undefined)?.word ?? 3;

/** Performs a step, or begins it; the returned value may be awaited. */
function begin(step: Step, call: Call): PromiseLike<unknown> | undefined {
  const { state, message, ctx } = call;
  switch (step.do) {
    case 'ask':
      if (message.left <= 0) return undefined;
      return ctx.ask(step.to, { left: message.left - 1, word: step.word }, ...(step.limit ? [LIMIT_MS] : []));
    case 'sleep':
      return ctx.sleep(LIMIT_MS);
    case 'write':
      return ctx.disk.write(step.key, state.n);
    case 'read':
      return ctx.disk.read(step.key);
    default:
      act(step, call);
      return undefined;
  }
}

/** Synchronous steps. */
function act(step: Step, call: Call): void {
  const { state, message, ctx } = call;
  if (step.do === 'count') count(state, step.by);
  if (step.do === 'change') changeCalled(step.change)(state, message.body, message.word);
  // An unawaited answer is a message like others, and is not answered again.
  if (step.do === 'reply' && message.left >= 0) ctx.reply({ left: -1, word: step.word } satisfies Message);
  if (step.do === 'set') ctx.setTimer(step.timer, LIMIT_MS);
  if (step.do === 'repeat') ctx.repeatTimer(step.timer, LIMIT_MS);
  if (step.do === 'cancel') ctx.cancelTimer(step.timer);
  if (step.do === 'spawn') ctx.spawn('worker', { word: message.word });
  if (step.do === 'detach') void runNoting(step.steps, call);
  if (step.do === 'hide') hide(step, call);
  if (step.do === 'throw') throw new Error('boom');
  if (step.do === 'send' && message.left > 0) tell(step, call);
}

function tell({ to, word, body: named, lane }: Step & { do: 'send' }, { state, message, ctx }: Call): void {
  const body = named === undefined ? undefined : bodyCalled(named)(state, message.word);
  const note = { left: message.left - 1, word };
  ctx.send(to, body === undefined ? note : { ...note, body }, { lane });
}

function hide({ part, where }: Step & { do: 'hide' }, { state, ctx, sink, start }: Call): void {
  // The state of a process is a copy of what `start` returns, and no copy is frozen.
  const isInState = start === undefined || (!start.hasReturned && !onlyInStates.includes(part));
  if (where !== 'state' || isInState) sink.hidden = true;
  const data = hiddenParts[part]();
  if (where === 'state') state['secret'] = data;
  if (where === 'message') ctx.send(ctx.self, { left: 0, word: 9, body: { secret: data } });
  if (where === 'disk') void ctx.disk.write('secret', { secret: data });
}

function count(state: State, by: number): void {
  state.n = (state.n * 3 + by) % 5;
}
