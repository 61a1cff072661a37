import { mockNetwork, type MockNetwork } from '../networks/mock/mock-network.ts';
import { followed, type Followed } from '../replay/followed.ts';
import { originOf } from '../replay/replay.ts';
import type { System } from '../system/definition.ts';
import { plural } from '../text/plural.ts';
import { eventOf } from '../trace/codec.ts';
import type { Trace } from '../trace/format.ts';
import { exitWith } from './output/exit-code.ts';
import { printJson, printOut } from './output/output.ts';
import { printLines } from './output/lines.ts';
import { printViolation } from './output/print.ts';
import { stepAlong, type StepAt } from './step-at.ts';

interface MockOptions {
  readonly without: readonly string[];
  readonly stepAt?: StepAt | undefined;
  readonly out: string;
  readonly json: boolean;
}

/** Replays a trace without its controllers: mocks say what these said. */
export async function replayWithMocks(
  system: System,
  path: string,
  trace: Trace,
  { without, stepAt, out, json }: MockOptions,
): Promise<void> {
  const mock = mockNetwork(system, trace, { without });
  const origin = originOf(mock.system, trace);
  const found = await followed(origin, mock.schedule);
  if (stepAt !== undefined) {
    const recording = found.trace.events.map(eventOf);
    return await stepAlong(stepAt, `${path} with mock controllers`, { origin, recording, out, length: found.length });
  }
  if (json) printJson('replay', mockJson(path, mock, found));
  else printMock(path, mock, found);
  exitWith({ violated: 1, holds: 0, unknown: 3 }[found.trace.verdict.verdict]);
}

function printMock(path: string, mock: MockNetwork, { trace, missed }: Followed): void {
  const { verdict } = trace;
  if (verdict.verdict === 'violated') {
    printViolation(trace);
    printOut(['']);
  }
  const { recorded, leftOut } = mock.messages;
  printLines([
    `replayed  ${path} with mock controllers: ${happenedOf(mock, missed)} of ${plural(mock.recorded, 'event')} happened`,
    `mocked    ${plural(recorded - leftOut, 'message')} of controllers, as recorded; what they get has no effect`,
    ...(leftOut + mock.inputsLeftOut === 0
      ? []
      : [`without   ${plural(leftOut, 'message')} of controllers, ${plural(mock.inputsLeftOut, 'input')}`]),
    ...(verdict.verdict === 'holds' ? ['holds     no invariant is violated'] : []),
    ...(verdict.verdict === 'unknown' ? [`unknown   ${verdict.why}`] : []),
  ]);
}

const happenedOf = ({ recorded }: MockNetwork, missed: Followed['missed']): number =>
  recorded - missed.filter((at) => at < recorded).length;

const mockJson = (path: string, mock: MockNetwork, { trace, missed }: Followed): object => ({
  path,
  mock: {
    messages: mock.messages.recorded - mock.messages.leftOut,
    messagesLeftOut: mock.messages.leftOut,
    inputsLeftOut: mock.inputsLeftOut,
  },
  verdict: trace.verdict,
  events: trace.events.length,
  recorded: mock.recorded,
  happened: happenedOf(mock, missed),
});
