import { externalOf, isInternal, type Event } from '../../trace/event.ts';
import type { MinimizeHints } from './system.ts';

/** The hints of a system with every default filled in. */
export interface ResolvedHints {
  readonly contentOf: (message: unknown) => unknown;
  readonly keeps: (event: Event) => boolean;
  readonly atom: (event: Event) => string | undefined;
}

export function resolveHints({ mask = [], fingerprint, atom, keep }: MinimizeHints = {}): ResolvedHints {
  const masked = new Set(mask);
  return {
    contentOf: (message) => withoutFields(fingerprint === undefined ? message : fingerprint(message as never), masked),
    keeps: keep ?? (() => false),
    atom: (event) => (isInternal(event) ? undefined : atom?.(externalOf(event) as never)),
  };
}

function withoutFields(value: unknown, masked: ReadonlySet<string>): unknown {
  if (masked.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, masked));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (masked.has(name) ? [] : [[name, withoutFields(field, masked)]])),
  );
}
