import type { ControllerIo } from './app.ts';

/** The same outside world with a clock that runs `pace` times as fast: periods keep the lengths that the studies state. */
export const paced = (io: ControllerIo, pace: number): ControllerIo => ({
  ...io,
  setTimeout: (callback, ms = 0, ...args) => io.setTimeout(callback, ms / pace, ...args),
  setInterval: (callback, ms = 0, ...args) => io.setInterval(callback, ms / pace, ...args),
  now: () => io.now() * pace,
});

/** A timeout of a flow entry. Switches count whole seconds, from 1 on. */
export const pacedSeconds = (seconds: number, pace: number): number => Math.max(1, Math.round(seconds / pace));
