import type { Session } from '../../kernel/ports.ts';

/** Observes a search, and decides when to stop. */
export interface SearchVisitor<SearchEnding extends string> {
  /** Called after each new step, and at the start. False stops the search. */
  arrived(session: Session): boolean | void;
  /** Called at the end of each execution. False stops the search. */
  ended(session: Session, ending: SearchEnding): boolean;
}
