import { vi } from 'vitest';

/** What is printed while this runs in this process, to both streams. Listeners for Ctrl-C that it leaves behind are removed. */
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
