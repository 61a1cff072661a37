import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { Screen } from './screen.ts';

/** The time limit for output to appear. */
const PATIENCE_MS = 20_000;

/** A command in a real terminal of its own: the pty that `script` of util-linux opens, which every Linux has. */
export class Terminal {
  readonly screen: Screen;
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;

  constructor(folder: string, command: string, columns: number, rows: number) {
    if (spawnSync('script', ['--version']).error !== undefined)
      throw new Error('This test needs a terminal, from `script` of util-linux: apt-get install bsdutils');
    this.screen = new Screen(columns);
    const sized = `stty cols ${columns} rows ${rows}; exec ${command}`;
    const { FORCE_COLOR: _forced, NO_COLOR: _refused, CI: _ci, ...env } = process.env;
    this.child = spawn('script', ['--quiet', '--return', '--flush', '--command', sized, '/dev/null'], {
      cwd: folder,
      env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.screen.write(text));
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  type(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** Types, and waits until the screen shows the result. */
  async shows(what: string | RegExp, keys = ''): Promise<void> {
    this.type(keys);
    const isShown = (): boolean =>
      typeof what === 'string' ? this.screen.text.includes(what) : what.test(this.screen.text);
    for (const until = performance.now() + PATIENCE_MS; !isShown(); await pause()) {
      if (performance.now() > until) throw new Error(`${String(what)} is not shown:\n${this.screen.text}`);
    }
  }

  /** Closes the window: the terminal is gone. */
  close(): void {
    this.child.kill('SIGKILL');
  }

  /** The exit code, once it has ended. */
  end(): Promise<number | null> {
    return this.ended;
  }
}

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 20));
