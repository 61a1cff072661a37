import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { CulpritError } from '../error.ts';
import { explainLines } from '../explain/story-report.ts';
import { whyLines } from '../explain/why/why-lines.ts';
import { inWords } from '../execution/wording.ts';
import { loadSystem } from '../system/load-system.ts';
import { BadOption } from '../kernel/options/options.ts';
import { resolveSystem } from '../system/resolve.ts';
import type { System } from '../system/definition.ts';
import type { EventLine, Trace } from '../trace/format.ts';
import type { Why } from '../trace/why.ts';
import { replaceFile } from '../files/access.ts';
import { shellWord } from '../text/shell-word.ts';
import { shownPath } from '../text/shown-path.ts';
import { encodedTrace, loadTrace } from '../files/trace-file.ts';
import { Interruption } from './interruption.ts';
import { printOut, printJson, terminalWidth } from './output/output.ts';
import { labeled, printLines } from './output/lines.ts';
import { paintFor, placedHere } from './output/print.ts';
import { atLeast } from './settings.ts';
import { placesUnlessStopped, type Places, type PlacesStopped } from './places.ts';
import { whyIn, WhyStopped } from './why.ts';
import { executes, ModuleOutside, moduleOf, SYSTEM_OPTION } from './trace-module.ts';

interface Options {
  readonly system?: string;
  readonly all: boolean;
  readonly why: boolean;
  readonly seconds: number;
  readonly replays: number;
  readonly nearest?: string;
  readonly places: boolean;
  readonly json: boolean;
}

export const explainCommand = (): Command =>
  new Command('explain')
    .description('tell the story of a saved trace step by step, and why it fails')
    .argument('<trace>', 'a trace file')
    .option('--system <module>', SYSTEM_OPTION)
    .option('--all', 'print every step of a long trace, not only the end', false)
    .option('--places', 'below each step, print the location of its handler, such as lock.ts:31', false)
    .option('--no-why', 'only tell the story')
    .option('-t, --seconds <n>', 'time limit for finding out why', atLeast(1), 60)
    .option('--replays <n>', 'for a system that is not repeatable: replays without each external', atLeast(0), 0)
    .option('--nearest <file>', 'save the nearest passing execution')
    .option(
      '--json',
      'print one JSON object instead: trace, places (by event), why, and interrupted if Ctrl-C stopped it',
      false,
    )
    .addHelpText('after', executes())
    .addHelpText('after', HELP)
    .action(run);

const HELP = `
Consecutive events that read as one step share a line; numbers such as 4–9 name them. A system can
supply its own wording for messages, timers and states: see docs/reference/explain.md.

To find out why, culprit executes the trace again with one change at a time: it removes an event, moves
an event earlier, or delivers a message that never arrived. It also samples random continuations after
every event. Ctrl-C stops this (exit code 130; 143 after SIGTERM) and leaves the story without a why.

A system that is not repeatable cannot be executed again with one change. Then the why comes from the recording: it names the
externals that the violation may depend on. With --replays, each of them is left out in so many replays.

Locations refer to the current source: the line where a handler begins, or the action of the
environment. The end of an awaited operation has the location of its handler. Crashes, sends and code of
packages have no location.

Examples:
  culprit explain .culprit/mutual-exclusion-3f2a.min.trace
  culprit explain .culprit/mutual-exclusion-3f2a.min.trace --places --no-why
  culprit explain .culprit/mutual-exclusion-3f2a.min.trace --nearest passes.trace`;

/** Of longer stories only the end is shown, where the violation is. */
const STEPS_MAX = 120;

async function run(path: string, options: Options): Promise<void> {
  const { json } = options;
  const recorded = loadTrace(path);
  const { system, whyNot } = await systemOf(recorded, path, options);
  const interruption = Interruption.listening();
  const { trace, wordless } = inCurrentWords(recorded, system);
  const places = await placesFor(system, recorded, options, interruption);
  if (!json) printStory(trace, options, places.here);
  const { why, whyless, stopped = places.stopped } = await whyOf(system, recorded, options, interruption);
  if (stopped !== undefined) {
    if (json) printJson('explain', { trace, places: places.inPackage, why: null, interrupted: true });
    else printLines(['', stopped.line, ...nothingSaved(options.nearest)]);
    throw stopped;
  }
  if (json) printJson('explain', { trace, places: places.inPackage, why: why ?? null });
  else if (why !== undefined) printLines(['', ...whyLines(why, trace, { width: terminalWidth() })]);
  if (options.nearest !== undefined) saveNearest(why, options.nearest, json);
  const left = [shorterLines(recorded, path), wordless, places.placeless, whyNot, whyless].flatMap(
    (lines) => lines ?? [],
  );
  if (left.length > 0 && !json) printLines(['', ...left]);
}

function printStory(trace: Trace, { all }: Options, places: Places['here'] = []): void {
  const paint = paintFor(trace);
  const length = all ? {} : { stepsMax: STEPS_MAX };
  printOut(explainLines(placedHere(trace), { width: terminalWidth(), paint, places, ...length }));
}

interface Placed {
  readonly here?: Places['here'];
  readonly inPackage: Places['inPackage'] | null;
  readonly placeless?: readonly string[];
  readonly stopped?: PlacesStopped;
}

/** Always for `--json`: it takes some hundredths of a second. */
async function placesFor(
  system: System | undefined,
  trace: Trace,
  { places, json }: Options,
  interruption: Interruption,
): Promise<Placed> {
  if (system === undefined || !(places || json)) return { inPackage: null };
  const { inPackage = null, missing: left, ...found } = await placesUnlessStopped(system, trace, places, interruption);
  return { ...found, inPackage, ...(left === undefined ? {} : { placeless: missing(left.what, left.why) }) };
}

/**
 * No explanation with `--no-why`, or without a violation. If the system has changed, the story is still shown,
 * without an explanation.
 */
async function whyOf(
  system: System | undefined,
  trace: Trace,
  { why: isAsked, seconds, replays }: Options,
  interruption: Interruption,
): Promise<{ readonly why?: Why; readonly whyless?: readonly string[]; readonly stopped?: WhyStopped }> {
  if (system === undefined || !isAsked || trace.verdict.verdict !== 'violated') return {};
  try {
    return { why: await whyIn(system, trace, { seconds, replays }, interruption) };
  } catch (error) {
    if (error instanceof WhyStopped) return { stopped: error };
    if (!(error instanceof CulpritError)) throw error;
    return { whyless: missing('why it happened', error) };
  }
}

/** Of a long execution: the command that makes it short, or shows the short one. */
function shorterLines({ header, events, verdict }: Trace, path: string): string[] {
  if (verdict.verdict !== 'violated' || header.minimized !== undefined || events.length <= STEPS_MAX) return [];
  const minimized = path.replace(/\.trace(\.gz)?$/, '.min.trace$1');
  return [
    existsSync(minimized)
      ? `shorter   npx culprit explain ${shellWord(minimized)}`
      : `shorter   npx culprit minimize ${shellWord(path)}`,
  ];
}

const nothingSaved = (file: string | undefined): string[] =>
  file === undefined ? [] : [`          ${shownPath(file)} is not written`];

function saveNearest(why: Why | undefined, file: string, json: boolean): void {
  if (why?.nearest === undefined)
    throw new BadOption('no passing execution was found nearby, so there is nothing to save.', 'Omit --nearest.');
  replaceFile(file, encodedTrace(why.nearest), 'Choose another file with --nearest.');
  if (!json) printLines(['', `saved     ${shownPath(file)}, the nearest passing execution`]);
}

interface Found {
  readonly system?: System;
  /** Why the system is missing, and what is left out because of that. */
  readonly whyNot?: readonly string[];
}

/** The story needs only the file; everything else needs the system. */
async function systemOf(trace: Trace, path: string, { system: given, why, places }: Options): Promise<Found> {
  try {
    return { system: (await loadSystem(given ?? moduleOf(trace, path, 'explain'))).system };
  } catch (error) {
    const isFatal = error instanceof ModuleOutside && why;
    if (!(error instanceof CulpritError) || given !== undefined || isFatal) throw error;
    return { whyNot: missing(`the system, so there is no why${places ? ' and no locations' : ''}`, error) };
  }
}

/** Adds the system's current wording if the trace has none: the trace may be older than the wording. */
function inCurrentWords(trace: Trace, system: System | undefined): { trace: Trace; wordless?: readonly string[] } {
  if (system === undefined || trace.events.some(isWorded)) return { trace };
  try {
    return { trace: inWords(trace, resolveSystem(system, trace.header.parameters).phrases) };
  } catch (error) {
    if (!(error instanceof CulpritError)) throw error;
    return { trace, wordless: missing("the system's own words", error) };
  }
}

const isWorded = ({ label, stateLabel, changeLabels, messageName, droppedNames, routine }: EventLine): boolean =>
  [label, stateLabel, changeLabels, messageName, droppedNames, routine].some((words) => words !== undefined);

const missing = (what: string, { message, next }: CulpritError): string[] => [
  ...labeled('missing', `${what}: ${message}`),
  ...labeled('next', next),
];
