import { spawn } from 'node:child_process';

/** Opens a URL in the user's browser. Returns false if no browser is known; whether it opens is unknown. */
export function openBrowser(url: string): boolean {
  const { platform, env } = process;
  if (platform === 'darwin') return start('open', [url]);
  if (platform === 'win32') return start('rundll32', ['url.dll,FileProtocolHandler', url]);
  // Without a screen, the command would open a browser in this terminal.
  const hasScreen = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  return hasScreen && start('xdg-open', [url]);
}

function start(command: string, args: readonly string[]): boolean {
  const child = spawn(command, args, { detached: true, stdio: 'ignore' });
  // The program does not exist: the URL is printed anyway.
  child.on('error', () => {});
  child.unref();
  return true;
}
