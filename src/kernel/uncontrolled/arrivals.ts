import type { Deliver } from '../../trace/event.ts';
import { ENVIRONMENT } from '../../trace/event.ts';
import { UnaskedExit } from '../errors.ts';
import { fail } from '../handling.ts';
import type { LiveWorld } from '../live-world.ts';
import type { InFlight } from '../network/channel.ts';
import { endHolds } from '../network/holds.ts';
import { post } from '../network/in-flight.ts';
import type { Process } from '../process.ts';
import { placeOf } from '../requests.ts';
import { handedOver } from '../user-code/examine.ts';
import { takeView } from '../opaque-state.ts';
import { cancelTimer, setTimer } from '../timers.ts';
import { named } from './identity.ts';
import type { Arrival, Deed } from './inbox.ts';
import type { UncontrolledWorld } from './uncontrolled-world.ts';

/**
 * Takes in what processes did by themselves, and lets the time pass that has passed. Says whether something arrived, or a timer
 * became due.
 */
export async function takeIn(world: LiveWorld, { inbox, clock, lastEvents }: UncontrolledWorld): Promise<boolean> {
  const arrivals = inbox.takeAll();
  for (const arrival of arrivals) await accept(world, arrival, lastEvents.get(arrival.process) ?? -1);
  for (const name of new Set(arrivals.map(({ process }) => process))) {
    const process = ownCalled(world, name);
    if (process?.subject !== undefined) takeView(world, process);
  }
  world.passClock(clock.nowMs);
  endHolds(world);
  return arrivals.length > 0;
}

function ownCalled(world: LiveWorld, name: string): Process | undefined {
  const at = world.place(name);
  return at === undefined ? undefined : world.own(at);
}

function accept(world: LiveWorld, arrival: Arrival, cause: number): void | Promise<void> {
  const { process: name, atMs, deed } = arrival;
  const process = ownCalled(world, name);
  if (process === undefined || !isHeard(world, process, arrival)) return;
  switch (deed.kind) {
    case 'send':
      return send(world, process, arrival, deed, cause);
    case 'observe': {
      const content = handedOver(world, process, deed.content, 'the observation ', deed.what);
      return world.recording.observe(name, deed.what, content, atMs);
    }
    case 'setTimer':
      return setTimer(world, process, deed.timer, deed.afterMs, deed.everyMs, cause, atMs);
    case 'cancelTimer':
      return cancelTimer(world, process, deed.timer);
    case 'exit':
      world.recording.observe(name, 'exit', { ...deed.how }, atMs);
      return fail(world, process, new UnaskedExit(name, deed.how));
    case 'fail':
      return fail(world, process, deed.error);
  }
}

/**
 * What a process said before it crashed counts unless the transport loses it with the process. That a crashed process ended is no
 * news, and its timers are gone.
 */
const isHeard = (world: LiveWorld, process: Process, { life, deed }: Arrival): boolean =>
  process.life === life ||
  (process.life === life + 1 &&
    !process.runs &&
    (deed.kind === 'send' || deed.kind === 'observe') &&
    world.declaration.transport.onCrash.from === 'keep');

function send(
  world: LiveWorld,
  sender: Process,
  { atMs }: Arrival,
  deed: Deed & { kind: 'send' },
  cause: number,
): void {
  const { to, lane } = deed;
  const message = handedOver(world, sender, deed.message, 'the message to ', to);
  if (to === ENVIRONMENT) return world.recording.output(sender.name, message, cause);
  const item: Deliver & InFlight = {
    kind: 'deliver',
    process: to,
    cause,
    hi: 0,
    lo: 0,
    nth: 0,
    from: sender.name,
    message,
    ask: 0,
    reply: 0,
    sentMs: atMs,
    at: placeOf(world, to, sender.name),
    fromAt: sender.at,
    ...(lane === undefined ? {} : { lane }),
  };
  post(world, named(world, item));
}
