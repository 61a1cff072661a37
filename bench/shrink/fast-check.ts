import fc from 'fast-check';

/** Calls in the first execution that failed, and in the smallest. */
export interface Shrunk {
  readonly before: number;
  readonly after: number;
}

/** The register as async functions, each call a task of the scheduler. */
class Register {
  private value = 0;
  private writes = 0;
  private readonly read: () => Promise<number>;
  private readonly write: (next: number) => Promise<void>;
  readonly noise: () => Promise<void>;

  constructor(scheduler: fc.Scheduler) {
    this.read = scheduler.scheduleFunction(async () => this.value);
    this.write = scheduler.scheduleFunction(async (next: number) => {
      this.value = next;
      this.writes += 1;
    });
    this.noise = scheduler.scheduleFunction(async () => {});
  }

  async update(): Promise<void> {
    await this.write((await this.read()) + 1);
  }

  get isIntact(): boolean {
    return this.value === this.writes;
  }
}

/** Commands are tasks as well, but of the test. */
const isCall = ({ status, schedulingType }: ReturnType<fc.Scheduler['report']>[number]): boolean =>
  status === 'resolved' && schedulingType === 'function';

/** Stores the number of calls in the first and in the last failing execution, which is the smallest. */
class Failures {
  private readonly calls: number[] = [];

  judge(register: Register, scheduler: fc.Scheduler): boolean {
    if (!register.isIntact) this.calls.push(scheduler.report().filter(isCall).length);
    return register.isIntact;
  }

  get shrunk(): Shrunk {
    const [before, after] = [this.calls[0], this.calls.at(-1)];
    if (before === undefined || after === undefined) throw new Error('bench: fast-check found nothing');
    return { before, after };
  }
}

/** Shrinks the order of calls. */
export async function byScheduler(noise: number, seed: number): Promise<Shrunk> {
  const failures = new Failures();
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    const register = new Register(scheduler);
    const calls = [register.update(), ...Array.from({ length: noise }, () => register.noise()), register.update()];
    await scheduler.waitIdle();
    await Promise.all(calls);
    return failures.judge(register, scheduler);
  });
  await fc.check(property, { seed, numRuns: 1_000 });
  return failures.shrunk;
}

/** The number of clients so far. */
interface Model {
  updates: number;
}

type Command = fc.AsyncCommand<Model, Register>;

// Commands wait for one another: calls that should overlap have to be released.
const update: Command = {
  check: ({ updates }) => updates < 2,
  run: async (model, register) => {
    model.updates += 1;
    void register.update();
  },
  toString: () => 'update',
};
const noiseCommand: Command = {
  check: () => true,
  run: async (_model, register) => void register.noise(),
  toString: () => 'noise',
};

/** Makes noise more likely: commands are drawn with equal probability. */
const NOISY = 20;

/** Shrinks both the calls and their order. */
export async function byCommands(noise: number, seed: number): Promise<Shrunk> {
  const failures = new Failures();
  const drawn = [update, ...Array<Command>(NOISY).fill(noiseCommand)].map((command) => fc.constant(command));
  const commands = fc.commands(drawn, { maxCommands: noise + 2, size: 'max' });
  const property = fc.asyncProperty(fc.scheduler(), commands, async (scheduler, cmds) => {
    const register = new Register(scheduler);
    await fc.scheduledModelRun(scheduler, () => ({ model: { updates: 0 }, real: register }), cmds);
    await scheduler.waitIdle();
    return failures.judge(register, scheduler);
  });
  await fc.check(property, { seed, numRuns: 1_000 });
  return failures.shrunk;
}
