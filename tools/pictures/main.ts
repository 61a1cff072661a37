import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { exhibitOf, viewerPage, type NamedTrace } from 'culprit/report';
import { explainWhy, minimize, search } from 'culprit';
import { readTrace, type Exhibit } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import learning from '../../test/viewer/learning.system.ts';
import { findPrograms } from '../programs/programs.ts';

/** The pictures of the documents: the page as a browser shows it. */
interface Picture {
  readonly name: string;
  readonly exhibit: Exhibit;
  readonly colors: 'light' | 'dark';
  readonly height: number;
  /** Keys to press before the picture. */
  readonly keys: readonly string[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'docs');

function saved(path: string): NamedTrace {
  const trace = readTrace(readFileSync(join(root, path), 'utf8'), path);
  return { file: path.split('/').at(-1) ?? path, trace };
}

async function pictures(): Promise<Picture[]> {
  const { findings } = await search(lock, { module: 'lock.system.ts' });
  const [found] = findings;
  if (found === undefined) throw new Error('nothing was found in the lock');
  const { trace } = await minimize(lock, found.trace);
  const one = exhibitOf([{ file: 'mutual-exclusion-8dfc.min.trace', trace }], { why: await explainWhy(lock, trace) });
  const passing = one.why?.nearest;
  if (passing === undefined) throw new Error('no execution passes');
  const two = exhibitOf([
    { file: 'violated.trace', trace },
    { file: 'nearest.trace', trace: passing },
  ]);
  const [lost] = (await search(learning, { executions: 1 })).findings;
  if (lost === undefined) throw new Error('nothing was found in the network');
  const network = exhibitOf([{ file: 'arrives-1a2b.trace', trace: lost.trace }]);
  const raft = exhibitOf([saved('cases/raft/best/raft-42.trace')]);
  return [
    { name: 'view', exhibit: one, colors: 'light', height: 780, keys: ['ArrowUp', 'ArrowUp'] },
    { name: 'view-dark', exhibit: raft, colors: 'dark', height: 860, keys: [] },
    {
      name: 'topology',
      exhibit: network,
      colors: 'light',
      height: 820,
      keys: Array.from({ length: 8 }, () => 'ArrowUp'),
    },
    { name: 'two', exhibit: two, colors: 'light', height: 560, keys: [] },
  ];
}

async function take(browser: Browser, { name, exhibit, colors, height, keys }: Picture): Promise<void> {
  const pages = mkdtempSync(join(tmpdir(), 'culprit-picture-'));
  const context = await browser.newContext({ viewport: { width: 1280, height }, colorScheme: colors });
  try {
    writeFileSync(join(pages, 'page.html'), viewerPage(exhibit));
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(pages, 'page.html')).href);
    await page.waitForSelector('.row');
    for (const key of keys) await page.keyboard.press(key);
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  } finally {
    await context.close();
    rmSync(pages, { recursive: true, force: true });
  }
}

const machine = {
  env: process.env,
  isRoot: false,
  exists: existsSync,
  run: (command: string, args: readonly string[]) => void execFileSync(command, [...args]),
};
const where = findPrograms(machine, ['chromium']).chromium;
if ('problem' in where) throw new Error(where.problem);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: where.path,
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
for (const picture of await pictures()) await take(browser, picture);
await browser.close();
