import { isLive } from '../hosts/live/connector.ts';
import type { CheckResult, DoctorSubject } from './check.ts';

/** For each live process whose clock runs faster than that of the machine: how fast, and with what risk. */
export function speed({ system }: DoctorSubject): CheckResult[] {
  return [...system.declaration.processes].flatMap(([name, { host }]): CheckResult[] =>
    isLive(host) && host.speed !== undefined
      ? [
          {
            check: 'speed',
            level: 'warning',
            message: `speed: ${name}: its clock runs ${host.speed} times as fast`,
            next: 'If it hangs, it waits for a lock or a thread with a timeout, which libfaketime may not shorten: omit `speed`.',
          },
        ]
      : [],
  );
}
