import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Execution } from '../model/execution.ts';
import type { Snapshot } from '../model/states.ts';

/** Computing for this many milliseconds does not make the page feel slow. */
const BREATH = 12;

/**
 * The states after an event. Far from a checkpoint they are computed in small steps, so that the page stays responsive.
 */
export function useStates({ states }: Execution, event: number): Snapshot | undefined {
  const [, setRound] = useState(0);
  const isNear = states.approach(event);
  useEffect(() => {
    if (isNear) return undefined;
    const timer = setTimeout(() => {
      const end = performance.now() + BREATH;
      while (performance.now() < end && !states.approach(event));
      setRound((round) => round + 1);
    });
    return () => clearTimeout(timer);
  });
  return useMemo(() => (isNear ? states.after(event) : undefined), [states, event, isNear]);
}
