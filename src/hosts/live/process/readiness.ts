import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NotReady, UnaskedExit } from '../../../kernel/errors.ts';
import type { Endpoint } from '../connector.ts';
import type { Child } from './child.ts';
import { hasProc } from './proc.ts';
import { isListening } from './socket-table.ts';

/** What a probe of the user may use. */
export interface Probed {
  /** The address of the program; undefined if it has no port. */
  readonly address: string | undefined;
  /** Its port. */
  readonly port: number | undefined;
  /** Its folder. */
  readonly dir: string;
}

/** When a program is ready: its port accepts, it has printed such a line, or a function of the user says so. */
export type Ready =
  | { readonly port: true }
  | { readonly log: RegExp }
  | { readonly probe: (program: Probed) => boolean | Promise<boolean> };

/** A program that starts. */
export interface Starting {
  readonly name: string;
  readonly child: Child;
  readonly own: Endpoint | undefined;
  readonly dir: string;
  /** Whether it has printed a line that matches. */
  readonly hasPrinted: (pattern: RegExp) => boolean;
}

const LOOK_EVERY_MS = 10;

/** Waits until a program is ready. Rejects if it ends before, or is not ready in time. */
export async function untilReady(program: Starting, ready: Ready | undefined, limitMs: number): Promise<void> {
  if (ready === undefined) return;
  const { name, child } = program;
  const untilMs = performance.now() + limitMs;
  while (!(await isReady(program, ready))) {
    if (child.hasExited) throw new UnaskedExit(name, await child.ended, ' before it was ready');
    if (performance.now() >= untilMs) throw notReady(program, ready, limitMs);
    await delay(LOOK_EVERY_MS);
  }
}

async function isReady({ own, dir, hasPrinted }: Starting, ready: Ready): Promise<boolean> {
  if ('log' in ready) return hasPrinted(ready.log);
  if ('probe' in ready) return await ready.probe({ address: own?.address, port: own?.port, dir });
  return own !== undefined && (await isServed(own));
}

/** A session that was killed leaves programs behind for a moment, at addresses that the next session claims. */
const FREE_WITHIN_MS = 2_000;

/** Whether nothing accepts connections there, or soon nothing does any more. */
export async function isFreeSoon(at: Endpoint): Promise<boolean> {
  const untilMs = performance.now() + FREE_WITHIN_MS;
  while (await isServed(at)) {
    if (performance.now() >= untilMs) return false;
    await delay(LOOK_EVERY_MS);
  }
  return true;
}

/** Whether something accepts connections there. */
const isServed = (at: Endpoint): Promise<boolean> => (hasProc ? isListening(at) : accepts(at));

const accepts = ({ address, port }: Endpoint): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const end = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', end(true));
    socket.once('error', end(false));
  });

function notReady({ name, own, child }: Starting, ready: Ready, limitMs: number): NotReady {
  const seconds = `within ${limitMs / 1000} s`;
  const why =
    'log' in ready
      ? `it printed no line that matches ${String(ready.log)} ${seconds}.`
      : 'probe' in ready
        ? `its probe did not return true ${seconds}.`
        : `nothing accepted connections at ${own?.address}:${own?.port} ${seconds}.`;
  const said = child.lastLines.length === 0 ? 'It printed nothing.' : `Its last lines:\n${child.lastLines.join('\n')}`;
  return new NotReady(
    name,
    `${why} ${said}`,
    'Look at its output, correct `ready`, or give it more time with `readyMs`.',
  );
}
