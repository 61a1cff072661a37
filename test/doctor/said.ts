import { behavior, doctor, type System } from 'culprit';
import type { DoctorOptions } from 'culprit/kernel';

/** The lines that a user would see. */
export async function said(system: System | (() => Promise<System>), options: DoctorOptions = {}): Promise<string[]> {
  const results = await doctor(system, { executions: 20, directory: 'nowhere', ...options });
  return results.map(({ level, message }) => `${level.padEnd(10)}${message}`);
}

/** Those of them that report a problem or a warning. */
export const complaints = async (system: System, options?: DoctorOptions): Promise<string[]> =>
  (await said(system, options)).filter((line) => !/^(ok|skipped) /.test(line));

/** Does nothing. */
export const idle = behavior<object, unknown>({ start: () => ({}), receive() {} });
/** Counts its messages. */
export const counting = behavior<{ count: number }, string>({
  start: () => ({ count: 0 }),
  receive(state) {
    state.count += 1;
  },
});
/** For systems in which the workload does not matter. */
export const fine = { any: (): boolean => true };
