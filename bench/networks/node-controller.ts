import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import type { Session } from 'culprit/kernel';
import { controller } from 'culprit/networks';

/** The command of our own controller, which is a process of its own. */
export const nodeController: readonly string[] = [
  process.execPath,
  join(import.meta.dirname, 'programs/node-controller.mjs'),
  '$address',
  '$port',
];

/** Our own controller. What it has printed says where it can be asked for its counts. */
export const countingController = (): ReturnType<typeof controller> =>
  controller(nodeController, { view: ({ out }) => ({ said: out[0] ?? '' }) });

/** What the controller has counted: see its program. */
export interface Counts {
  readonly connected: number;
  readonly portStatus: number;
  readonly packetIns: number;
  readonly errors: number;
}

/** Asks the controller for its counts. */
export async function countsOf({ world }: Session, name: string): Promise<Counts> {
  const { said } = world.process(name).state as { said: string };
  const [, host = '', port = ''] = /^counts at (.*):(\d+)$/.exec(said) ?? [];
  return JSON.parse(await text(connect(Number(port), host))) as Counts;
}
