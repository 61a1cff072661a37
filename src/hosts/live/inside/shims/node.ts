import { syncBuiltinESMExports } from 'node:module';
import { inspect } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { Culprit } from './node-culprit.ts';
import { replaceTimers } from './node-timers.ts';

/**
 * The shim of Node programs: `node --import` loads it before the program. It replaces the clock, the random numbers, the timers and the console of
 * the main thread by those of culprit, as far as `CULPRIT_INSIDE` names them.
 */
const path = process.env['CULPRIT_SYNC'];
const wanted = new Set((process.env['CULPRIT_INSIDE'] ?? '').split(','));

if (path !== undefined && isMainThread) {
  const culprit = await Culprit.connect(path);
  if (wanted.has('random')) replaceRandom(culprit);
  if (wanted.has('time')) replaceClock(culprit);
  if (wanted.has('timers')) replaceTimers(culprit);
  if (wanted.has('notes') || wanted.has('barriers')) replaceConsole(culprit);
  syncBuiltinESMExports();
}

/** One number of culprit seeds all of the program (sfc32). */
function replaceRandom(culprit: Culprit): void {
  const seed = culprit.ask({ name: 'random' });
  let [a, b, c, count] = [Math.floor(seed * 2 ** 32) | 0, Math.floor(seed * 2 ** 53) | 0, 0x9e3779b9 | 0, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let draws = 0; draws < 12; draws++) next();
  Math.random = () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}

function replaceClock(culprit: Culprit): void {
  const now = (): number => culprit.ask({ name: 'time' });
  const beganMs = now();
  const RealDate = Date;
  RealDate.now = () => Math.floor(now());
  // A proxy, because `Date()` without `new` gives a text.
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args, made): Date =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, made) as Date,
  });
  RealDate.prototype.constructor = globalThis.Date;
  performance.now = () => now() - beganMs;
}

function replaceConsole(culprit: Culprit): void {
  const isBarrier = wanted.has('barriers');
  // What is printed to the standard output may be the messages of the program.
  const names = [...(wanted.has('out-taken') ? [] : (['log', 'info', 'debug'] as const)), 'error', 'warn'] as const;
  for (const name of names) {
    const print = console[name].bind(console);
    console[name] = (...said: unknown[]) => {
      const [value, ...args] = typeof said[0] === 'string' ? said : ['%o', ...said];
      const line = { name: 'state', value, args: args.map(asData) };
      if (isBarrier) culprit.ask({ type: 'sync', ...line });
      else culprit.tell(line);
      print(...said);
    };
  }
}

/** What JSON can carry, and a text for everything else. */
const asData = (value: unknown): unknown =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value) ? value : inspect(value);
