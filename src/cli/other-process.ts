import { fork } from 'node:child_process';
import { Command } from 'commander';
import type { ExecuteElsewhere } from '../doctor/check.ts';
import { Executions, type ExecutionBounds } from '../doctor/executions.ts';
import { CulpritError } from '../error.ts';
import { resolveSystem } from '../system/resolve.ts';
import { readTrace, writeTrace } from '../trace/file.ts';
import { loadSystem } from '../system/load-system.ts';

/** The other process could not make the executions. */
class OtherProcessFailed extends CulpritError {
  readonly code = 'ELSEWHERE_FAILED';
}

/** The message to the other process. */
interface Task extends ExecutionBounds {
  readonly path: string;
  readonly set: Readonly<Record<string, string>>;
}

/** The time limit of the other process. */
const TIMEOUT_MS = 120_000;

/** Executes in another process, which loads the module again. */
export const executeInOtherProcess =
  (path: string, set: Task['set']): ExecuteElsewhere =>
  ({ env, ...bounds }) =>
    new Promise((resolve, reject) => {
      const task: Task = { path, set, ...bounds };
      const child = fork(process.argv[1] as string, ['elsewhere', JSON.stringify(task)], {
        env: { ...process.env, ...env },
        // This process has printed the system's output already.
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        timeout: TIMEOUT_MS,
      });
      const end = (): void => void child.kill();
      // The other process must not outlive this one.
      process.once('exit', end);
      child.once('close', () => process.removeListener('exit', end));
      let said = '';
      child.stderr?.on('data', (text: Buffer) => (said += text.toString()));
      child.on('message', (texts: string[]) => resolve(texts.map((text) => readTrace(text, 'another process'))));
      child.on('error', reject);
      child.on('close', (code) => {
        const problem = `the second process ended with ${code ?? 'a signal'} before it reported its executions: ${said.trim() || 'it printed nothing'}`;
        reject(
          new OtherProcessFailed(
            problem,
            'Run the command again; if it fails again, find out what the module needs to load.',
          ),
        );
      });
    });

/** The command of the other process, for internal use. */
export const otherProcessCommand = (): Command => new Command('elsewhere').argument('<task>').action(run);

async function run(text: string): Promise<void> {
  const { path, set, ...bounds } = JSON.parse(text) as Task;
  const { system } = await loadSystem(path);
  const resolved = resolveSystem(system, set);
  const executions = new Executions(bounds);
  const texts: string[] = [];
  for (const seed of executions.seeds) texts.push(writeTrace(await executions.execute(resolved, seed)));
  process.send?.(texts, () => process.disconnect());
}
