import { getBuiltinModule } from 'node:process';
import type { FakeAnswer } from './fake-answer.ts';
import type { Source, SourceKind } from './nondeterminism-source.ts';

/** All watched sources. They are looked up on every call, because other code may have replaced globals, too. */
export const sources = (): Source[] => [...clocks(), ...chances(), ...timers(), ...inputs(), ...machine()];

function clocks(): Source[] {
  const RealDate = Date;
  const ofDate = (draw: FakeAnswer, _args: readonly unknown[], real: (args: unknown[]) => unknown): unknown => {
    const made = real([draw.timeMs]);
    // Called without `new`, `Date` returns the current time as text and ignores its arguments.
    return typeof made === 'string' ? new RealDate(draw.timeMs).toString() : made;
  };
  return [
    {
      name: 'Date',
      kind: 'clock',
      holder: globalThis,
      key: 'Date',
      also: { holder: RealDate.prototype, key: 'constructor' },
      leaks: (args) => args.length === 0,
      answer: ofDate,
    },
    clock('Date.now', RealDate, 'now', ({ timeMs }) => timeMs),
    clock('performance.now', performance, 'now', ({ timeMs }) => timeMs / 1_000),
    clock('process.hrtime', process, 'hrtime', ({ timeMs }) => [Math.floor(timeMs / 1_000), (timeMs % 1_000) * 1e6]),
    clock('process.hrtime.bigint', process.hrtime, 'bigint', ({ timeMs }) => BigInt(timeMs) * 1_000_000n),
    clock('process.uptime', process, 'uptime', ({ timeMs }) => timeMs / 1_000),
  ];
}

const clock = (name: string, holder: object, key: string, answer: (draw: FakeAnswer) => unknown): Source => ({
  name,
  kind: 'clock',
  holder,
  key,
  answer,
});

function chances(): Source[] {
  const nodeCrypto = getBuiltinModule('node:crypto');
  const chance = (name: string, holder: object, key: string, answer?: Source['answer']): Source => ({
    name,
    kind: 'chance',
    holder,
    key,
    ...(answer === undefined ? {} : { answer }),
  });
  return [
    chance('Math.random', Math, 'random', ({ float }) => float),
    chance('crypto.randomUUID', crypto, 'randomUUID', uuid),
    chance('crypto.randomUUID', nodeCrypto, 'randomUUID', uuid),
    chance('crypto.getRandomValues', crypto, 'getRandomValues', fill),
    chance('crypto.getRandomValues', nodeCrypto, 'getRandomValues', fill),
    chance('crypto.randomFillSync', nodeCrypto, 'randomFillSync'),
    chance('crypto.randomFill', nodeCrypto, 'randomFill'),
    chance('crypto.randomBytes', nodeCrypto, 'randomBytes', (draw, [size, callback], real) =>
      typeof size === 'number' && callback === undefined ? Buffer.from(draw.bytes(size)) : real([size, callback]),
    ),
    chance('crypto.randomInt', nodeCrypto, 'randomInt', ({ float }, args, real) => {
      const [min, max] = args.length === 1 ? [0, args[0]] : args;
      const isPlain = args.length < 3 && typeof min === 'number' && typeof max === 'number';
      return isPlain ? min + Math.floor(float * (max - min)) : real([...args]);
    }),
  ];
}

function uuid(draw: FakeAnswer): string {
  const digits = Buffer.from(draw.bytes(16)).toString('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

function fill(draw: FakeAnswer, args: readonly unknown[], real: (args: unknown[]) => unknown): unknown {
  const filled = real([...args]);
  if (ArrayBuffer.isView(filled))
    new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength).set(draw.bytes(filled.byteLength));
  return filled;
}

function timers(): Source[] {
  const names = ['setTimeout', 'setInterval', 'setImmediate'];
  const promises = getBuiltinModule('node:timers/promises');
  return [
    ...named('timer', '', globalThis, names),
    ...named('timer', '', getBuiltinModule('node:timers'), names),
    ...named('timer', 'timers/promises ', promises, names),
    ...named('timer', 'timers/promises scheduler.', promises.scheduler, ['wait', 'yield']),
    ...named('timer', 'AbortSignal.', AbortSignal, ['timeout']),
  ];
}

function inputs(): Source[] {
  const fs = getBuiltinModule('node:fs');
  return [
    ...named('io', '', globalThis, ['fetch']),
    ...named('io', 'fs.', fs, functionsOf(fs)),
    ...named('io', 'fs.promises.', fs.promises, functionsOf(fs.promises)),
    ...(['child_process', 'dns', 'http', 'https', 'net'] as const).flatMap((name) => {
      const module = getBuiltinModule(`node:${name}`);
      return named('io', `${name}.`, module, functionsOf(module));
    }),
  ];
}

function machine(): Source[] {
  const os = getBuiltinModule('node:os');
  return [
    ...named('machine', 'process.', process, ['memoryUsage', 'cpuUsage', 'resourceUsage']),
    ...named('machine', 'os.', os, functionsOf(os)),
    ...named('garbage', 'WeakRef.', WeakRef.prototype, ['deref']),
  ];
}

const named = (kind: SourceKind, prefix: string, holder: object, keys: readonly string[]): Source[] =>
  keys.map((key) => ({ name: `${prefix}${key}`, kind, holder, key }));

/** The functions of a module, classes excepted. */
const functionsOf = (module: object): string[] =>
  Object.entries(module).flatMap(([key, value]) => (typeof value === 'function' && /^[a-z]/.test(key) ? [key] : []));
