import { externalOf, isInternal, type Event, type External } from '../../trace/event.ts';
import { SystemThrew } from '../../kernel/refused.ts';
import type { MinimizeHints } from './system.ts';

/** The hints of a system with every default filled in. */
export interface ResolvedHints {
  readonly contentOf: (message: unknown) => unknown;
  readonly keeps: (event: Event) => boolean;
  readonly atom: (event: Event) => string | undefined;
  readonly shrink: (external: External) => Iterable<External>;
  readonly clock: ((message: unknown) => number | undefined) | undefined;
}

export function resolveHints({
  mask = [],
  fingerprint,
  atom,
  keep,
  shrink,
  clock,
}: MinimizeHints<unknown> = {}): ResolvedHints {
  const masked = new Set(mask);
  return {
    contentOf: (message) => withoutFields(fingerprint === undefined ? message : fingerprint(message), masked),
    keeps: keep ?? (() => false),
    atom: (event) => (isInternal(event) ? undefined : atom?.(externalOf(event))),
    shrink: (external) => (shrink === undefined ? [] : shrunk(external, shrink)),
    clock: clock && ((message) => clockOf(message, clock)),
  };
}

function* shrunk(external: External, shrink: NonNullable<MinimizeHints<unknown>['shrink']>): Generator<External> {
  try {
    yield* shrink(external);
  } catch (error) {
    throw new SystemThrew(`minimize.shrink, asked about a ${external.kind},`, error);
  }
}

function clockOf(message: unknown, clock: NonNullable<MinimizeHints<unknown>['clock']>): number | undefined {
  try {
    return clock(message);
  } catch (error) {
    throw new SystemThrew('minimize.clock, asked about a message,', error);
  }
}

function withoutFields(value: unknown, masked: ReadonlySet<string>): unknown {
  if (masked.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, masked));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (masked.has(name) ? [] : [[name, withoutFields(field, masked)]])),
  );
}
