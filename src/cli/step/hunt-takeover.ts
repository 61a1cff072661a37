import { BadOption } from '../../kernel/options/options.ts';
import type { StoppedExecution, Takeover } from '../../hunt/takeover.ts';
import { steppedOrigin } from '../../step/origin.ts';
import { Stepping } from '../../step/stepping.ts';
import type { Verdict } from '../../trace/verdict.ts';
import type { Interruption } from '../interruption.ts';
import { stepInHunt } from './terminal.ts';

/** With `--step-on-interrupt`, Ctrl-C hands the execution under way to the user, on the terminal. */
export class HuntTakeover implements Takeover {
  private state: 'hunting' | 'asked' | 'stepping' = 'hunting';

  constructor(
    private readonly interruption: Interruption,
    /** The folder for saved traces. */
    private readonly out: string,
    /** Clears the terminal of the progress of the hunt. */
    private readonly clear: () => void,
  ) {}

  /** For Ctrl-C. False if it came before and no execution could be stopped since, and during a takeover. */
  ask(): boolean {
    if (this.state !== 'hunting') return false;
    this.state = 'asked';
    return true;
  }

  get isUnderWay(): boolean {
    return this.state === 'stepping';
  }

  isAsked(): boolean {
    return this.state === 'asked';
  }

  async begin({ origin, ...begun }: StoppedExecution): Promise<Verdict> {
    this.state = 'stepping';
    this.clear();
    const { system, module, seed, eventsMax, handlerMs } = origin;
    const stepped = steppedOrigin(system, { module, seed, eventsMax, handlerMs });
    const stepping = await Stepping.begin({ origin: stepped, begun, out: this.out });
    const opening = [
      `step      in the execution of seed ${seed}, after event ${begun.lines.length}`,
      `next      Ctrl-D resumes the hunt from there, Ctrl-C ends it, \`help\` lists commands`,
    ];
    if ((await stepInHunt(stepping, opening, this.interruption.signal)) === 'ends') this.interruption.stop();
    this.state = 'hunting';
    return stepping.track.verdict;
  }
}

/** The terminal is needed for the commands, and only executions of this thread can be stopped. */
export function mustAllowSteps({ json, workers, jobs, fleet }: StepsOnInterrupt): void {
  const many = fleet !== undefined || [workers, jobs].some((count) => count !== 'auto' && count > 1);
  if (many)
    throw new BadOption(
      '--step-on-interrupt stops the one execution that is under way, so there can be no other.',
      'Omit --workers, --jobs and --fleet.',
    );
  if (json || !process.stdin.isTTY || !process.stdout.isTTY)
    throw new BadOption(
      '--step-on-interrupt reads commands from a terminal and prints to it.',
      'Run the hunt on a terminal, without --json.',
    );
}

interface StepsOnInterrupt {
  readonly json: boolean;
  readonly fleet?: string;
  readonly workers: number | 'auto';
  readonly jobs: number | 'auto';
}
