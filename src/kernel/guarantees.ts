import { CulpritError } from '../error.ts';
import type { AnyBehavior } from './behavior.ts';
import { oncePer } from './data/once-per.ts';
import type { Declaration } from './declaration.ts';
import type { Guarantees, Host } from './host.ts';

const guaranteedBy = ({ view, host }: Pick<AnyBehavior, 'view' | 'host'>): Guarantees => ({
  forkable: view === undefined && host === undefined,
  repeatable: host?.repeatable ?? true,
  controlled: host?.controlled ?? true,
});

/** A kind of process that may join counts as if it had joined. */
const partsOf = ({ processes, kinds }: Declaration): [string, Pick<AnyBehavior, 'view' | 'host'>][] => [
  ...processes,
  ...[...kinds].map(([name, { host }]): [string, { host?: Host }] => [
    `a process of kind ${name}`,
    host === undefined ? {} : { host },
  ]),
];

/** What all processes of a system promise together. Every execution asks for it. */
export const guaranteesOf = oncePer((declaration: Declaration): Guarantees => {
  const all = partsOf(declaration).map(([, part]) => guaranteedBy(part));
  return {
    forkable: all.every(({ forkable }) => forkable),
    repeatable: all.every(({ repeatable }) => repeatable),
    controlled: all.every(({ controlled }) => controlled),
  };
});

/** The hosts of a system that do not leave everything to us. */
export const uncontrolledHosts = (declaration: Declaration): Host[] => [
  ...new Set(partsOf(declaration).flatMap(([, { host }]) => (host?.controlled === false ? [host] : []))),
];

/** Whether every message of a system waits until an event delivers it, and none appears unless something happened to its sender. */
export const everyMessageIsOurs = (declaration: Declaration): boolean =>
  uncontrolledHosts(declaration).every(({ messagesAreOurs = false }) => messagesAreOurs);

/** A command needs more than the system guarantees. */
export class NotGuaranteed extends CulpritError {
  readonly code = 'NOT_GUARANTEED';
}

/** `c1 is live`: a process that does not guarantee this; undefined if all do. */
export function whyNotGuaranteed(needed: keyof Guarantees, declaration: Declaration): string | undefined {
  const lacking = partsOf(declaration).find(([, part]) => !guaranteedBy(part)[needed]);
  return lacking && `${lacking[0]} is ${lacking[1].host?.name ?? 'opaque'}`;
}

/** Refuses a system that does not guarantee what a command needs. */
export function mustGuarantee(
  command: string,
  needed: keyof Guarantees,
  declaration: Declaration,
  next = 'Use hunt, replay and minimize, which take every system.',
): void {
  const lacking = whyNotGuaranteed(needed, declaration);
  if (lacking === undefined) return;
  throw new NotGuaranteed(`${command} needs a ${needed} system; ${lacking}.`, next);
}
