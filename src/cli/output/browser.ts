import { spawn } from 'node:child_process';

/** Opens an address in the user's browser. Says whether there is one to try; whether it opens is unknown. */
export function openBrowser(url: string): boolean {
  const { platform, env } = process;
  if (platform === 'darwin') return start('open', [url]);
  if (platform === 'win32') return start('rundll32', ['url.dll,FileProtocolHandler', url]);
  // Without a screen the same command would open a browser in this terminal.
  const hasScreen = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  return hasScreen && start('xdg-open', [url]);
}

function start(command: string, args: readonly string[]): boolean {
  const child = spawn(command, args, { detached: true, stdio: 'ignore' });
  // It is not there: the address is printed anyhow.
  child.on('error', () => {});
  child.unref();
  return true;
}
