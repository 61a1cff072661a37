import type { Session } from '../../kernel/ports.ts';

/** Looks on while executions are searched through, and says when that is enough. */
export interface SearchVisitor<SearchEnding extends string> {
  /** After each step that is new, and at the start. False: that is enough. */
  arrived(session: Session): boolean | void;
  /** At the end of each execution. False: that is enough. */
  ended(session: Session, ending: SearchEnding): boolean;
}
