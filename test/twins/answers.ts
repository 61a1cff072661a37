import { CulpritError } from 'culprit';

interface Session {
  enter(line: string): Promise<{ readonly lines: readonly string[] }>;
}

/** What the last of these commands is answered with. */
export async function answer(session: Session, ...commands: readonly string[]): Promise<string> {
  let lines: readonly string[] = [];
  for (const command of commands) ({ lines } = await session.enter(command));
  return lines.join('\n');
}

/** Why a command cannot be done; it has to say what to do next. */
export const problem = (session: Session, command: string): Promise<string> =>
  answer(session, command).then(
    () => 'none',
    (error: unknown) => {
      if (error instanceof CulpritError && error.next !== '') return error.message;
      throw error;
    },
  );
