import { mixHi, mixLo } from '../trace/digest.ts';
import type { Fire } from '../trace/event.ts';
import type { LiveWorld } from './live-world.ts';
import { isTimed } from './network/enabled.ts';
import type { Process } from './process.ts';
import { named } from './uncontrolled/identity.ts';

/** Milliseconds on the clock that this process reads. */
export const clockOf = (world: LiveWorld, process: Process): number =>
  world.declaration.timers === 'any' ? process.clockMs : world.nowMs;

/** Sets a timer; one of that name that is set already is moved. By default the event under way sets it, now. */
export function setTimer(
  world: LiveWorld,
  process: Process,
  timer: string,
  afterMs: number,
  everyMs: number,
  cause = world.length - 1,
  setMs = clockOf(world, process),
): void {
  const index = process.made++;
  const event = named<Fire>(world, {
    kind: 'fire',
    process: process.name,
    cause,
    hi: mixHi(process.hi, index),
    lo: mixLo(process.lo, index),
    nth: index,
    timer,
    deadlineMs: setMs + afterMs,
    everyMs,
  });
  const at = placeOfTimer(process, timer);
  const moved = process.timers[at];
  process.timers[at] = event;
  if (moved === undefined) placesByName.get(process.timers)?.set(timer, at);
  // A process with a timer is listed already.
  if (moved === undefined) world.waitsIn(process.at);
  world.ready.timerSet(world, process, event, moved);
}

export function cancelTimer(world: LiveWorld, process: Process, timer: string): void {
  const event = process.timers[placeOfTimer(process, timer)];
  if (event === undefined) return;
  removeTimer(process, event);
  world.ready.timerCanceled(world, process, event);
}

/** The last one takes its place: the order of timers means nothing. */
export function removeTimer(process: Process, event: Fire): void {
  const { timers } = process;
  const at = placeOfTimer(process, event.timer);
  const last = timers.pop() as Fire;
  if (last !== event) timers[at] = last;
  const places = placesByName.get(timers);
  places?.delete(event.timer);
  if (last !== event) places?.set(last.timer, at);
}

/** In a list up to this long, searching is faster than looking up. */
const SHORT = 32;

/** The places of timers by name, for long lists only. A copied list has none until it is searched. */
const placesByName = new WeakMap<readonly Fire[], Map<string, number>>();

/** The place of the timer of that name, or the place to add it at. */
function placeOfTimer({ timers }: Process, timer: string): number {
  if (timers.length > SHORT) return placesIn(timers).get(timer) ?? timers.length;
  let at = 0;
  while (at < timers.length && timers[at]?.timer !== timer) at++;
  return at;
}

function placesIn(timers: readonly Fire[]): Map<string, number> {
  const known = placesByName.get(timers);
  if (known !== undefined) return known;
  const places = new Map(timers.map(({ timer }, at) => [timer, at]));
  placesByName.set(timers, places);
  return places;
}

/** A timer's event or a sleep's end is about to happen: time passes. */
export function passTime(world: LiveWorld, process: Process, deadlineMs: number): void {
  if (world.declaration.timers === 'any') process.clockMs = Math.max(process.clockMs, deadlineMs);
  else world.nowMs = Math.max(world.nowMs, deadlineMs);
}

/** When the next timer or sleep is due that is not due yet; Infinity where none is set. */
export function nextDueMs(world: LiveWorld): number {
  const { processes, nowMs } = world;
  let earliest = Infinity;
  for (const at of world.waitingPlaces()) {
    const { timers, operations } = processes[at] as Process;
    for (const { deadlineMs } of [...timers, ...operations.filter(isTimed)])
      if (deadlineMs > nowMs) earliest = Math.min(earliest, deadlineMs);
  }
  return earliest;
}
