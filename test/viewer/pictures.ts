import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';

/** Keeps a screenshot for inspection, if a folder is named. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['CULPRIT_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
