import type { MessageOf, NamesOf } from '../kernel/behavior.ts';

declare const concerns: unique symbol;

/**
 * What an external says of processes, for the compiler alone: no object has the field. `defineSystem` compares it with the processes that
 * it declares. An external that is written as a plain object says nothing here, and is checked when it happens.
 */
export interface Concerns<out Of> {
  readonly [concerns]?: Of;
}

/** An external concerns this process, and has a message for it. */
interface Concerned<Name extends string, Message = never> {
  readonly process: Name;
  readonly takes: Message;
}

/** Of processes with these names. Names that the compiler does not know, such as `node-${n}`, are checked when the external happens. */
export type OfProcesses<Names extends string, Message = never> =
  Literal<Names> extends infer Name extends string ? (Name extends unknown ? Concerned<Name, Message> : never) : never;

/** The names that are literals: neither any `string` nor a pattern of one. */
type Literal<Names extends string> = Names extends unknown
  ? Record<never, never> extends Record<Names, unknown>
    ? never
    : Names
  : never;

/** Of the processes of a system. Where processes join later, or names are not known to the compiler, any name will do. */
export type OfDeclared<Processes extends object, Kinds extends object> = keyof Kinds extends never
  ? string extends keyof Processes
    ? unknown
    : { [Name in keyof Processes & string]: Concerned<Name, MessageOf<Processes[Name]>> }[keyof Processes & string]
  : unknown;

/** What externals concern: of one, of a list of them, and of everything that a generator draws. */
export type ConcernedBy<Drawn> = Drawn extends readonly (infer One)[]
  ? ConcernedBy<One>
  : Drawn extends Concerns<infer Of>
    ? unknown extends Of
      ? never
      : Of
    : never;

/** A process whose behavior knows a name that the system does not declare: the compiler shows the name, and no behavior has this field. */
interface KnowsUndeclared<Names extends string> {
  readonly knowsUndeclared: Names;
}

/**
 * Processes that know only processes of the system: of each, the names that its behavior gives as literals are declared. Where
 * processes join later, any name will do.
 */
export type KnowDeclared<Processes extends object, Kinds extends object> = keyof Kinds extends never
  ? { readonly [Name in keyof Processes]: KnowsOnly<Literal<NamesOf<Processes[Name]>>, keyof Processes> }
  : unknown;

type KnowsOnly<Names extends string, Declared> = [Names] extends [Declared]
  ? unknown
  : KnowsUndeclared<Exclude<Names, Declared>>;
