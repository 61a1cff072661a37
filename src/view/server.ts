import { randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CulpritError, problemOf } from '../error.ts';
import { written } from '../explain/too-large.ts';
import type { Branch, BranchProblem, Exhibit } from '../trace/view-model.ts';

/** Other machines on the network have no access. */
const LOOPBACK = '127.0.0.1';

/** How long a request for a newer version waits. */
const WAIT_MS = 20_000;

/** How long the last version is kept for open pages, and for a browser that is starting. */
const LAST_VERSION_MS = 1_500;
const FIRST_REQUEST_MS = 10_000;
const POLL_MS = 50;

export class CannotServe extends CulpritError {
  readonly code = 'CANNOT_SERVE';
}

export interface ViewOptions {
  /** Any free port by default. */
  readonly port?: number | undefined;
  /** Executes branches of the shown execution; without it, the page offers none. */
  readonly branches?: Branches | undefined;
}

/** Executes a branch as the page asks; both throw a `CulpritError` for a request that cannot be fulfilled. */
export interface Branches {
  /** Leaves the shown execution after so many events. */
  begin(after: number): Promise<Branch>;
  /** Executes a command of `step`. */
  enter(command: string): Promise<Branch>;
}

/** Headers of every response: the page may load nothing else, and no other page may embed it. */
const HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/**
 * Shows an exhibit to a browser on this machine. It serves the page and the exhibit, reads no file for them, and executes branches. All
 * need the token of the URL, so that no other page and no other user of the machine can use them.
 */
export class ViewServer {
  private readonly token = randomBytes(16).toString('hex');
  private readonly waiting = new Set<() => void>();
  private host = '';
  private version = 1;
  private body: string;
  /** The newest version that a page has received. */
  private received = 0;

  private constructor(
    private readonly server: Server,
    private readonly page: string,
    exhibit: Exhibit,
    private readonly branches: Branches | undefined,
  ) {
    this.body = textOf(exhibit, this.version);
  }

  /** Takes a page that asks its server. */
  static async open(page: string, exhibit: Exhibit, { port = 0, branches }: ViewOptions = {}): Promise<ViewServer> {
    const server = createServer();
    const view = new ViewServer(server, page, exhibit, branches);
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

  /** The URL for a browser. */
  get url(): string {
    return `http://${this.host}/?token=${this.token}`;
  }

  /** Shows another exhibit, on open pages too. Throws if it is too large, and changes nothing then. */
  show(exhibit: Exhibit): void {
    this.body = textOf(exhibit, this.version + 1);
    this.version += 1;
    for (const answer of this.waiting) answer();
  }

  /** Waits until a page has received the current version: briefly, or longer if a browser may be starting. */
  async untilReceived(): Promise<void> {
    const patienceMs = this.received === 0 ? FIRST_REQUEST_MS : LAST_VERSION_MS;
    for (let waitedMs = 0; waitedMs < patienceMs && this.received < this.version; waitedMs += POLL_MS)
      await sleep(POLL_MS);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const [path, query] = (request.url ?? '/').split('?', 2);
    const asked = new URLSearchParams(query);
    const isBranch = path === '/branch' && this.branches !== undefined;
    const refusal = this.refusal(request, asked, isBranch ? 'POST' : 'GET');
    if (refusal?.[0] === 405) response.setHeader('allow', isBranch ? 'POST' : 'GET');
    if (refusal !== undefined) reply(response, refusal[0], 'text/plain', `${refusal[1]}\n`);
    else if (isBranch) void this.answerBranch(response, asked);
    else if (path === '/') reply(response, 200, 'text/html', this.page);
    else if (path === '/exhibit') this.answerExhibit(response, Number(asked.get('after') ?? 0));
    else reply(response, 404, 'text/plain', 'Not found.\n');
  }

  private refusal(
    { method, headers }: IncomingMessage,
    asked: URLSearchParams,
    allowed: 'GET' | 'POST',
  ): [number, string] | undefined {
    // Against DNS rebinding: another name for this machine is rejected.
    if (headers.host !== this.host) return [403, 'Wrong address.'];
    if (method !== allowed) return [405, allowed === 'GET' ? 'Read-only.' : 'Use POST: this executes the system.'];
    if (!isSame(asked.get('token') ?? '', this.token))
      return [403, 'Open the address that culprit prints: it contains a token.'];
    return undefined;
  }

  /** With `after`, a branch begins; with `command`, it continues. */
  private async answerBranch(response: ServerResponse, asked: URLSearchParams): Promise<void> {
    const { branches } = this;
    if (branches === undefined) return;
    try {
      const command = asked.get('command');
      const branch = command === null ? branches.begin(Number(asked.get('after') ?? 0)) : branches.enter(command);
      reply(response, 200, 'application/json', JSON.stringify(await branch));
    } catch (error) {
      const problem = error instanceof CulpritError ? `${error.message} ${error.next}` : problemOf(error);
      reply(response, 400, 'application/json', JSON.stringify({ problem } satisfies BranchProblem));
    }
  }

  /** Answers immediately if there is a newer version, otherwise when there is one. */
  private answerExhibit(response: ServerResponse, after: number): void {
    if (after < this.version) {
      this.received = this.version;
      return reply(response, 200, 'application/json', this.body);
    }
    const answer = (): void => {
      clearTimeout(timer);
      this.waiting.delete(answer);
      if (after < this.version) this.answerExhibit(response, after);
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
  response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body);
}

/** In constant time, so that the duration reveals nothing about the token. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
