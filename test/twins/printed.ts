import { vi } from 'vitest';

/**
 * The output of this process while a function runs, on both streams. Removes listeners for Ctrl-C that it leaves
 * behind.
 */
export async function printedBy(run: () => Promise<unknown>): Promise<string> {
  let text = '';
  const listening = process.listeners('SIGINT');
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((said) => {
      text += String(said);
      return true;
    }),
  );
  try {
    await run();
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const listener of process.listeners('SIGINT'))
      if (!listening.includes(listener)) process.removeListener('SIGINT', listener);
  }
  return text;
}
