import { expect, test } from 'vitest';
import { commandLine, folderWith } from '../cli/culprit.ts';
import { Terminal } from '../cli/terminal.ts';
import { processesWith } from '../live/processes.ts';

const [CTRL_C, CTRL_D, ENTER] = ['\u0003', '\u0004', '\r'];

/** Names the controller of this test. */
const mark = `taken-over-${process.pid}`;

/** A hunt that finds nothing and lasts for hours. */
const NETWORK = `import { controller, controllersAlive, defineNetwork, linear } from 'culprit/networks';
  export default defineNetwork({
    controllers: { c1: controller('ovs-testcontroller --unixctl=$dir/${mark} ptcp:$port:$address') },
    topology: linear(2),
    rounds: 100_000,
    traffic: { pings: 0.02 },
    invariants: { alive: controllersAlive() },
  });`;

const STOPPED = /step {6}in the execution of seed 0, after event \d+\n[^>]*\n>$/;

test('Ctrl-C hands the user a network whose controller keeps running, and Ctrl-D lets the hunt continue with it', async () => {
  const folder = folderWith({ 'net.ts': NETWORK });
  const hunt = commandLine('hunt', 'net.ts', '--no-control', '--step-on-interrupt');
  const terminal = new Terminal(folder, hunt, 100, 40);
  await terminal.shows(/hunting {3}.*round \d+ of/);
  const controllers = processesWith(mark);
  await terminal.shows(STOPPED, CTRL_C);
  const sent = /(\d+) {2}environment {2}sends ping h1 → h2 at port 2 of s1\n[^>]*\n>$/;
  await terminal.shows(sent, `ping h1 h2${ENTER}`);
  const [, byHand = ''] = sent.exec(terminal.screen.text) ?? [];
  await terminal.shows(/hunting {3}.*round \d+ of[^\n]*$/, CTRL_D);
  await terminal.shows(STOPPED, CTRL_C);
  // It is the same execution, with the event of the user, and the same process.
  await terminal.shows(new RegExp(`event ${byHand} +environment [^>]*\\n>$`), `event ${byHand}${ENTER}`);
  expect(controllers).not.toEqual([]);
  expect(processesWith(mark)).toEqual(controllers);
  terminal.type(CTRL_C);
  expect(await terminal.end()).toBe(130);
  expect(processesWith(mark)).toEqual([]);
});
