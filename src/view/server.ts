import { randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CulpritError } from '../error.ts';
import { written } from '../explain/too-large.ts';
import type { Exhibit } from '../trace/view-model.ts';

/** Nobody else on the network gets to see it. */
const LOOPBACK = '127.0.0.1';

/** How long a request for something newer is kept waiting. */
const WAIT_MS = 20_000;

/** How long the last word is kept for pages that have not heard it, and for a browser that is starting. */
const LAST_WORD_MS = 1_500;
const FIRST_LOOK_MS = 10_000;
const LOOK_MS = 50;

export class CannotServe extends CulpritError {
  readonly code = 'CANNOT_SERVE';
}

export interface ViewOptions {
  /** Any that is free by default. */
  readonly port?: number;
}

/** Sent with everything: the page may do nothing but what it came with, and nobody may put it into theirs. */
const ALWAYS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/**
 * Shows an exhibit to a browser on this machine. There are two addresses, the page and the exhibit, and no file is read for
 * either; both want the token that is in the address, so that no other page, and nobody else on the machine, can ask.
 */
export class ViewServer {
  private readonly token = randomBytes(16).toString('hex');
  private readonly waiting = new Set<() => void>();
  private host = '';
  private version = 1;
  private told: string;
  /** The newest that anybody has got. */
  private heard = 0;

  private constructor(
    private readonly server: Server,
    private readonly page: string,
    exhibit: Exhibit,
  ) {
    this.told = textOf(exhibit, this.version);
  }

  /** The page has to be one that asks its server. */
  static async open(page: string, exhibit: Exhibit, { port = 0 }: ViewOptions = {}): Promise<ViewServer> {
    const server = createServer();
    const view = new ViewServer(server, page, exhibit);
    server.on('request', (request, response) => view.answer(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, LOOPBACK, resolve);
    }).catch((error: unknown) => {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new CannotServe(
        `port ${port} is not available: ${code === 'EADDRINUSE' ? 'it is in use' : message}.`,
        'Choose another one with --port, or omit --port for any free port.',
        { cause: error },
      );
    });
    view.host = `${LOOPBACK}:${(server.address() as AddressInfo).port}`;
    return view;
  }

  /** What to open in a browser. */
  get url(): string {
    return `http://${this.host}/?token=${this.token}`;
  }

  /** Shows something else from now on. Pages that are open change to it. What is too large changes nothing. */
  show(exhibit: Exhibit): void {
    this.told = textOf(exhibit, this.version + 1);
    this.version += 1;
    for (const answer of this.waiting) answer();
  }

  /** Waits until a page has got what is shown now: a moment, or longer where a browser may just be starting. */
  async heardOut(): Promise<void> {
    const patienceMs = this.heard === 0 ? FIRST_LOOK_MS : LAST_WORD_MS;
    for (let waitedMs = 0; waitedMs < patienceMs && this.heard < this.version; waitedMs += LOOK_MS)
      await sleep(LOOK_MS);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const [path, query] = (request.url ?? '/').split('?', 2);
    const asked = new URLSearchParams(query);
    const refusal = this.refusal(request, asked);
    if (refusal !== undefined) reply(response, refusal[0], 'text/plain', `${refusal[1]}\n`);
    else if (path === '/') reply(response, 200, 'text/html', this.page);
    else if (path === '/exhibit') this.tell(response, Number(asked.get('after') ?? 0));
    else reply(response, 404, 'text/plain', 'Not found.\n');
  }

  private refusal({ method, headers }: IncomingMessage, asked: URLSearchParams): [number, string] | undefined {
    // A name that was made to mean this machine is still not the name we gave out.
    if (headers.host !== this.host) return [403, 'Wrong address.'];
    if (method !== 'GET') return [405, 'Read-only.'];
    if (!isSame(asked.get('token') ?? '', this.token))
      return [403, 'Open the address that culprit prints: it contains a token.'];
    return undefined;
  }

  /** At once where there is something newer than they have, or when there is. */
  private tell(response: ServerResponse, after: number): void {
    if (after < this.version) {
      this.heard = this.version;
      return reply(response, 200, 'application/json', this.told);
    }
    const answer = (): void => {
      clearTimeout(timer);
      this.waiting.delete(answer);
      if (after < this.version) this.tell(response, after);
      else reply(response, 204, 'text/plain', '');
    };
    const timer = setTimeout(answer, WAIT_MS);
    this.waiting.add(answer);
    response.on('close', () => {
      clearTimeout(timer);
      this.waiting.delete(answer);
    });
  }
}

const textOf = (exhibit: Exhibit, version: number): string =>
  written('html', () => JSON.stringify(exhibit.live === undefined ? exhibit : { ...exhibit, version }));

function reply(response: ServerResponse, status: number, type: string, body: string): void {
  const headers = { ...ALWAYS, 'content-type': `${type}; charset=utf-8` };
  response.writeHead(status, status === 405 ? { ...headers, allow: 'GET' } : headers).end(body);
}

/** In a time that does not tell how much of it is right. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
