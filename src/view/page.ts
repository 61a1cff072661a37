import { readFileSync } from 'node:fs';
import { CulpritError } from '../error.ts';
import { written } from '../explain/too-large.ts';
import { printableJson } from '../text/printable.ts';
import type { Exhibit } from '../trace/view-model.ts';

/** `npm run build` makes the page, so a checkout that was never built has none. */
export class NoViewer extends CulpritError {
  readonly code = 'NO_VIEWER';

  constructor() {
    super('The page that shows traces was not built.', 'Build it: npm run build');
  }
}

/** The places in the template for the exhibit, and for the server that the page may contact. */
const EXHIBIT = '__EXHIBIT__';
const CONNECT = '__CONNECT__';

/** The page as one self-contained file. With an exhibit it makes no requests; without one it asks its server. */
export function viewerPage(exhibit?: Exhibit): string {
  const [before = '', after] = template().split(EXHIBIT);
  if (after === undefined) throw new NoViewer();
  const [data, connect] = exhibit === undefined ? ['', "'self'"] : [inScript(exhibit), "'none'"];
  return before.replace(CONNECT, connect) + data + after;
}

function template(): string {
  try {
    return readFileSync(new URL('../../dist/viewer/page.html', import.meta.url), 'utf8');
  } catch {
    throw new NoViewer();
  }
}

/** As JSON that cannot end its script element or begin a comment in it. */
const inScript = (exhibit: Exhibit): string =>
  written('html', () => printableJson(JSON.stringify(exhibit)).replaceAll('<', String.raw`\u003c`));
