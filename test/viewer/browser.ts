import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { exhibitOf, viewerPage } from 'culprit/report';
import type { Exhibit, Trace } from 'culprit/trace';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let browser: Browser;
let folder: string;
let pages = 0;

/** Starts a browser for the tests of a file, and ends it after them. */
export function withBrowser(): void {
  beforeAll(async () => {
    const found = inject('programs').chromium;
    if ('problem' in found) throw new Error(found.problem);
    folder = mkdtempSync(join(tmpdir(), 'culprit-page-'));
    browser = await chromium.launch({ executablePath: found.path, args: flags });
  });
  afterAll(async () => {
    await browser?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
}

/** The side effects of a page: requested addresses, dialogs, and errors. */
export interface Watched {
  readonly requests: string[];
  readonly dialogs: string[];
  readonly problems: string[];
}

/** An empty page in its own window, with a record of its side effects. */
export async function blank(options: BrowserContextOptions = {}): Promise<{ page: Page; watched: Watched }> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const watched: Watched = { requests: [], dialogs: [], problems: [] };
  page.on('request', (request) => watched.requests.push(request.url()));
  page.on('dialog', (dialog) => {
    watched.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => watched.problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') watched.problems.push(message.text());
  });
  return { page, watched };
}

/** Writes a page to disk, and returns its address. */
export function written(html: string): string {
  pages += 1;
  const path = join(folder, `${pages}.html`);
  writeFileSync(path, html);
  return pathToFileURL(path).href;
}

/** Opens an exhibit like its file. */
export async function open(exhibit: Exhibit, hash = '', options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await blank(options);
  await page.goto(written(viewerPage(exhibit)) + hash);
  await page.waitForSelector('.row');
  return page;
}

export const openTrace = (trace: Trace, hash = '', options: BrowserContextOptions = {}): Promise<Page> =>
  open(exhibitOf([{ file: 'one.trace', trace }]), hash, options);

/** Presses keys one after the other. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** The text of the row at the cursor: number, process, description. */
export async function here(page: Page): Promise<string> {
  const cell = page.locator('.row.here .cell.self');
  const parts = await Promise.all(['.number', '.who', '.what'].map((part) => cell.locator(part).allTextContents()));
  return parts.flat().join(' ');
}
