import { mixHi, mixLo, digestText, type Digest } from '../trace/digest.ts';
import { ENVIRONMENT, type Deliver, type External, type ExternalEvent, externalOf } from '../trace/event.ts';
import { portableText } from '../trace/json-encoding.ts';
import { consequencesOf } from './actions.ts';
import { OUTSIDE, type InFlight } from './network/channel.ts';
import type { Faults } from './declaration.ts';
import { crash, restart, runStart, setPaused, stop } from './lifecycle.ts';
import type { LiveWorld } from './live-world.ts';
import { delay } from './network/delays.ts';
import { hold } from './network/holds.ts';
import { reportingChanges } from './network/link-reports.ts';
import { setLinks } from './network/cuts.ts';
import { duplicate, findMessage, releaseHeld, lose, post } from './network/in-flight.ts';
import { Refused } from './errors.ts';
import { refusal } from './preconditions.ts';
import { placeOf } from './requests.ts';
import { examine } from '../trace/plain-data.ts';
import { copyData } from './data/copy.ts';
import { inKeyOrder } from './data/key-order.ts';

/** Performs an external event. Refuses an event that cannot happen in this world. */
export function performExternal(world: LiveWorld, external: External, cause: number): void | Promise<void> {
  const why = refusal(world, external);
  if (why !== undefined) throw new Refused(portableText(external, 'the external event'), why);
  const event = occur(world, external, cause);
  count(world, event);
  world.uncontrolled?.identities.happens(event, event);
  switch (event.kind) {
    case 'start':
      return runStart(world, joined(world, event), event);
    case 'restart':
      return restart(world, owned(world, event.process), event);
    case 'crash':
      return crash(world, owned(world, event.process), event);
    case 'stop':
      return stop(world, owned(world, event.process), event);
    case 'pause':
    case 'resume':
      return setPaused(world, owned(world, event.process), event);
    default:
      return performOnEnvironment(world, event);
  }
}

type EnvironmentEvent = Exclude<ExternalEvent, { kind: 'start' | 'stop' | 'crash' | 'restart' | 'pause' | 'resume' }>;

/** Performs an event that is no step of a process: it belongs to the history of the environment. */
function performOnEnvironment(world: LiveWorld, event: EnvironmentEvent): void | Promise<void> {
  world.recording.events.push(event);
  world.failure = undefined;
  world.absorbEnvironment(event.hi, event.lo);
  switch (event.kind) {
    case 'send':
      return send(world, event);
    case 'cut':
    case 'heal':
      return reportingChanges(world, event.links, () => setLinks(world, event.links, event.kind === 'cut'));
    case 'lose':
      return lose(world, messageCalled(world, event.target), 'lost');
    case 'duplicate':
      return duplicate(world, messageCalled(world, event.target), event);
    case 'hold':
      return hold(world, messageCalled(world, event.target), event.until);
    case 'delay':
      return delay(world, messageCalled(world, event.target), event.ms);
    case 'act':
      // All externals that the action consists of in this world, before any other event.
      return performAll(world, consequencesOf(world, event) ?? [], world.length - 1, 0);
    case 'wait':
      return undefined;
  }
}

/** The event that an external becomes when it happens. */
function occur(world: LiveWorld, external: External, cause: number): ExternalEvent {
  const identity = identified(external);
  const { content } = identity;
  // A process starts only once: afterward it restarts.
  const before = content.kind === 'start' ? 0 : world.countExternal(identity.hi, identity.lo);
  const hi = mixHi(identity.hi, before);
  const lo = mixLo(identity.lo, before);
  // The frequent ones are spelled out: spreading into a new shape is slow.
  switch (content.kind) {
    case 'send':
      return { kind: content.kind, process: ENVIRONMENT, cause, hi, lo, to: content.to, message: content.message };
    case 'stop':
    case 'crash':
    case 'pause':
    case 'resume':
      return { kind: content.kind, process: content.process, cause, hi, lo };
    case 'restart':
      if (content.wiped === undefined) return { kind: content.kind, process: content.process, cause, hi, lo };
      return { ...content, cause, hi, lo };
    case 'start':
      if (content.of === undefined) return { kind: content.kind, process: content.process, cause, hi, lo };
      return { ...content, cause, hi, lo };
    default:
      return { ...content, process: ENVIRONMENT, cause: causeOf(world, content, cause), hi, lo };
  }
}

/** A fault on a message is caused by the event that sent it. */
function causeOf(world: LiveWorld, external: External, cause: number): number {
  if (cause >= 0 || !('target' in external)) return cause;
  return messageCalled(world, external.target).cause;
}

const budgetOf: { readonly [K in External['kind']]?: keyof Faults } = {
  crash: 'crashes',
  restart: 'restarts',
  cut: 'partitions',
  lose: 'losses',
  duplicate: 'duplicates',
  hold: 'holds',
  delay: 'holds',
  pause: 'pauses',
};

function count(world: LiveWorld, { kind }: ExternalEvent): void {
  const budget = budgetOf[kind];
  if (budget !== undefined) world.spent = { ...world.spent, [budget]: world.spent[budget] + 1 };
}

const owned = (world: LiveWorld, name: string) => world.own(world.place(name) as number);

function joined(world: LiveWorld, event: Extract<ExternalEvent, { kind: 'start' }>) {
  const at = world.place(event.process);
  if (at !== undefined) return world.own(at);
  const process = world.admitKind(event.process, event.of as string, event.args);
  releaseHeld(world, process);
  return process;
}

function send(world: LiveWorld, event: Extract<ExternalEvent, { kind: 'send' }>): void {
  const item: Deliver & InFlight = {
    kind: 'deliver',
    process: event.to,
    cause: world.length - 1,
    hi: mixHi(event.hi, SENT),
    lo: mixLo(event.lo, SENT),
    nth: 0,
    from: ENVIRONMENT,
    message: event.message,
    ask: 0,
    reply: 0,
    sentMs: world.nowMs,
    at: placeOf(world, event.to, ENVIRONMENT),
    fromAt: OUTSIDE,
  };
  post(world, item);
}

function performAll(
  world: LiveWorld,
  externals: readonly External[],
  cause: number,
  from: number,
): void | Promise<void> {
  for (let at = from; at < externals.length; at++) {
    const pending = performExternal(world, externals[at] as External, cause);
    if (pending !== undefined) return pending.then(() => performAll(world, externals, cause, at + 1));
  }
}

/** The message is in flight: otherwise the event was refused. */
const messageCalled = (world: LiveWorld, target: string): InFlight => findMessage(world, target) as InFlight;

const SENT = 0x53454e54;

/** The identity of the delivery of a message that this external sends. */
export const sentIdentity = ({ hi, lo }: Digest): Digest => ({ hi: mixHi(hi, SENT), lo: mixLo(lo, SENT) });

/** The identity of an external but for its number among those with equal contents. */
export const externalIdentity = (external: External | ExternalEvent): Digest => identified(external);

/** An external as the kernel keeps it, and the digest of its content. */
interface Identified extends Digest {
  readonly content: External;
}

// A workload is made once and used in every execution, so each external is digested once. Externals are plain data that does
// not change; an external that is changed all the same keeps its identity.
const identities = new WeakMap<External | ExternalEvent, Identified>();

/** The message is delivered by `copyAgain`, which takes results of `copyData` only: a copy that is no tree is known as such. */
const messageCopied = (content: External): External =>
  content.kind === 'send' ? { ...content, message: copyData(content.message, ENVIRONMENT, 'the message') } : content;

/** How a wait ended differs from one execution to the next. */
function identifying(content: External): object {
  if (content.kind !== 'wait') return content;
  const { tookMs: _tookMs, met: _met, ...rest } = content;
  return rest;
}

/** Takes recorded events, too: the identity depends on the external alone, and not on the place of the event. */
function identified(external: External | ExternalEvent): Identified {
  const known = identities.get(external);
  if (known !== undefined) return known;
  const given = externalOf(external);
  examine(given, `${ENVIRONMENT}: the event`, true);
  // In the order of files: a handler that prints a message, or goes through its keys, does the same in a replay.
  const content = messageCopied(inKeyOrder(copyData(given, ENVIRONMENT, 'the event')));
  const identity = { content, ...digestText(portableText(identifying(content), 'the external event')) };
  identities.set(external, identity);
  return identity;
}
