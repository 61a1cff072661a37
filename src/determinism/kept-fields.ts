import type { ResolvedSystem } from '../system/resolve.ts';
import { portableText } from '../trace/json-encoding.ts';

/** The data in fields of behaviors, which all executions share, as text by name. */
export function keptByBehaviors({ declaration }: ResolvedSystem): Map<string, string> {
  const kept = new Map<string, string>();
  for (const [process, behavior] of declaration.processes) {
    for (const [field, value] of Object.entries(behavior)) {
      if (typeof value !== 'function') kept.set(`the field ${field} of the behavior of ${process}`, textOf(value));
    }
  }
  return kept;
}

/** Data that is not plain is not compared. */
function textOf(value: unknown): string {
  try {
    return portableText(value, 'a field');
  } catch {
    return '';
  }
}
