import { injectedPacket } from '../sts/injected-packet.ts';
import { stsLines } from '../sts/sts-lines.ts';
import { BadCapture } from './bad-capture.ts';
import type { CapturedPacket } from './captured-packet.ts';

/**
 * The packets that hosts send in a trace of STS: JSON lines, of which those of the class `TrafficInjection` count. A line may also be the injected
 * packet alone: `{"interface": {"hw_addr": …}, "packet": …}`.
 */
export function packetsOfSts(text: string): CapturedPacket[] {
  return stsLines(text).flatMap(({ line, fields }) => {
    if (fields['class'] === 'TrafficInjection') return [injected(fields['dp_event'], line)];
    return 'class' in fields ? [] : [injected(fields, line)];
  });
}

function injected(event: unknown, line: number): CapturedPacket {
  const found = injectedPacket(event);
  if (found !== undefined) return found;
  throw new BadCapture(
    `line ${line} of the trace injects no packet.`,
    'Old traces of STS leave out the packets: take a later one, with dp_event.',
  );
}
