import { send } from '../../system/externals.ts';
import type { External } from '../../trace/event.ts';

/** What an operator is to do: run a program, or request a URL. */
export type Instruction =
  | {
      /** Run a program, or request a URL. */
      readonly type: 'execute';
      /** The program and its arguments. */
      readonly words: readonly string[];
    }
  | {
      readonly type: 'request';
      readonly url: string;
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
    };

/** How it ended. */
export interface InstructionResult {
  /** The words of the command, or the method and the URL. */
  readonly of: string;
  /** The exit code of a program, or the status of an answer; null if there is none. */
  readonly code: number | null;
  /** The last lines that the program printed, or the beginning of the answer; or why there is none. */
  readonly output: string;
  /** Whether it took too long, and was ended. */
  readonly isLate: boolean;
}

/** The operator runs a program, and waits until it has ended. */
export const execute = (operator: string, words: readonly string[]): External<Instruction> =>
  send(operator, { type: 'execute', words });

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The operator requests a URL, and waits for the answer. */
export const request = (
  operator: string,
  url: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): External<Instruction> => send(operator, { type: 'request', url, method, headers, body: body ?? null });
