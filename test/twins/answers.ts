import { CulpritError } from 'culprit';

interface Session {
  enter(line: string): Promise<{ readonly lines: readonly string[] }>;
}

/** The output of the last of these commands. */
export async function answer(session: Session, ...commands: readonly string[]): Promise<string> {
  let lines: readonly string[] = [];
  for (const command of commands) ({ lines } = await session.enter(command));
  return lines.join('\n');
}

/** Why a command is impossible; the error must name the next step. */
export const problem = (session: Session, command: string): Promise<string> =>
  answer(session, command).then(
    () => 'none',
    (error: unknown) => {
      if (error instanceof CulpritError && error.next !== '') return error.message;
      throw error;
    },
  );
