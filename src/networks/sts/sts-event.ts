import { BadCapture } from '../captures/bad-capture.ts';
import { itemsOf, stsLines, type Fields, type StsLine } from './sts-lines.ts';

/** An event of a trace of STS. */
export interface StsEvent extends StsLine {
  readonly of: StsClass;
  /** Since the first event. */
  readonly atMs: number;
  /** Whether a replay of STS awaited it in vain, so that it did not happen. */
  readonly isAbsent: boolean;
}

/** The classes of events that STS writes. */
const classes = [
  'ConnectToControllers',
  'SwitchFailure',
  'SwitchRecovery',
  'LinkFailure',
  'LinkRecovery',
  'ControllerFailure',
  'ControllerRecovery',
  'ControlChannelBlock',
  'ControlChannelUnblock',
  'BlockControllerPair',
  'UnblockControllerPair',
  'HostMigration',
  'TrafficInjection',
  'DataplaneDrop',
  'DataplanePermit',
  'WaitTime',
  'CheckInvariants',
  'InvariantViolation',
  'ControlMessageReceive',
  'ControlMessageSend',
  'ProcessFlowMod',
  'ControllerStateChange',
  'DeterministicValue',
] as const;

export type StsClass = (typeof classes)[number];

/** Reads the events of a trace of STS, in their order. */
export function stsEvents(text: string): StsEvent[] {
  const lines = stsLines(text);
  if (lines.length === 0) throw new BadCapture('the trace is empty.', 'Give an events.trace or mcs.trace of STS.');
  const [first = 0] = lines.map(msOf);
  return lines.map((read) => ({
    ...read,
    of: classOf(read),
    atMs: Math.max(0, msOf(read) - first),
    isAbsent: read.fields['timed_out'] === true,
  }));
}

function classOf({ line, fields }: StsLine): StsClass {
  const found = classes.find((name) => name === fields['class']);
  if (found !== undefined) return found;
  throw new BadCapture(
    `line ${line} of the trace has an event of the class ${JSON.stringify(fields['class'] ?? null)}, which STS does not have.`,
    'Remove such lines, or rename the class.',
  );
}

/** `[seconds, microseconds]`. */
function msOf({ line, fields }: StsLine): number {
  const [seconds, micros] = itemsOf(fields['time']);
  if (typeof seconds === 'number' && typeof micros === 'number') return seconds * 1000 + micros / 1000;
  throw new BadCapture(
    `line ${line} of the trace has no time.`,
    'Give an events.trace or mcs.trace of STS, whose events have `time: [seconds, microseconds]`.',
  );
}

/** A whole number in a field, such as a dpid or a port. */
export function numberIn({ line, fields }: { readonly line: number; readonly fields: Fields }, name: string): number {
  const found = fields[name];
  if (typeof found === 'number' && Number.isInteger(found) && found >= 0) return found;
  throw new BadCapture(
    `line ${line} of the trace has no number in \`${name}\`.`,
    'The file is damaged: copy it again from its source.',
  );
}

/** The name of a controller: `c1`, or `["c", "1"]` in some fingerprints. */
export function controllerIn(
  { line, fields }: { readonly line: number; readonly fields: Fields },
  name = 'controller_id',
): string {
  const found = fields[name];
  const text = Array.isArray(found) ? found.join('') : found;
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  throw new BadCapture(
    `line ${line} of the trace names no controller in \`${name}\`.`,
    'The file is damaged: copy it again from its source.',
  );
}

export const switchName = (dpid: number): string => `s${dpid}`;
