import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Trace } from '../trace/format.ts';
import type { Branch, Exhibit } from '../trace/view-model.ts';
import { TooLarge } from '../explain/too-large.ts';
import { CannotServe, ViewServer } from './server.ts';

const PAGE = '<!doctype html><title>the page</title>';

const exhibit = (title: string): Exhibit => ({ title, executions: [], live: { status: 'hunting', isOver: false } });

async function served(): Promise<ViewServer> {
  const view = await ViewServer.open(PAGE, exhibit('first'));
  onTestFinished(() => view.close());
  return view;
}

/** The address of something else there, with the same token or another. */
function at(view: ViewServer, path: string, token?: string): string {
  const url = new URL(view.url);
  return `${url.origin}${path}${path.includes('?') ? '&' : '?'}token=${token ?? url.searchParams.get('token')}`;
}

test('serves the page and its data to a client with the token', async () => {
  const view = await served();
  const page = await fetch(view.url);
  expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
    200,
    'text/html; charset=utf-8',
    PAGE,
  ]);
  expect(await (await fetch(at(view, '/exhibit'))).json()).toEqual({ ...exhibit('first'), version: 1 });
});

test('is there for this machine alone', async () => {
  const { hostname, port } = new URL((await served()).url);
  expect(hostname).toBe('127.0.0.1');
  // All of 127.0.0.0/8 is this machine, but only one address is listened at.
  const other = await new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.2');
    socket.on('connect', () => resolve('connected')).on('error', () => resolve('refused'));
  });
  expect(other).toBe('refused');
});

test('says with everything that the page may do nothing else, and be nowhere else', async () => {
  const view = await served();
  for (const address of [view.url, at(view, '/exhibit'), at(view, '/nowhere'), at(view, '/', 'wrong')]) {
    const { headers } = await fetch(address);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBe(null);
  }
});

test.each(['', 'wrong', '0'.repeat(32)])('refuses a client without a token, or with %j', async (token) => {
  const view = await served();
  for (const path of ['/', '/exhibit', '/exhibit?after=1', '/nowhere']) {
    const response = await fetch(at(view, path, token));
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('culprit prints');
  }
});

test.each(['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/package.json', '/exhibit/', '//exhibit'])(
  'reads no file: %s is nowhere',
  async (path) => {
    const url = new URL((await served()).url);
    // As it is written: `fetch` would tidy it up.
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = url;
      request({ hostname, port, path: `${path}${url.search}` }, (response) => resolve(response.statusCode))
        .on('error', reject)
        .end();
    });
    expect([403, 404]).toContain(status);
  },
);

test.each(['evil.example', 'localhost'])('refuses to be called %s', async (name) => {
  const url = new URL((await served()).url);
  const status = await new Promise((resolve, reject) => {
    const { hostname, port } = url;
    request({ hostname, port, path: `/${url.search}`, headers: { host: `${name}:${port}` } }, (response) =>
      resolve(response.statusCode),
    )
      .on('error', reject)
      .end();
  });
  expect(status).toBe(403);
});

test.each(['POST', 'PUT', 'DELETE'])('changes nothing for %s', async (method) => {
  const { status, headers } = await fetch((await served()).url, { method });
  expect([status, headers.get('allow')]).toEqual([405, 'GET']);
});

const branch: Branch = {
  execution: { file: 'x', trace: {} as Trace, sentences: [], undelivered: [] },
  choices: [{ who: 'a', what: 'starts', note: '' }],
  isOver: false,
  lines: [],
};

/** Branches that remember what they were asked. */
async function branching(): Promise<{ view: ViewServer; asked: unknown[] }> {
  const asked: unknown[] = [];
  const branches = {
    begin: async (after: number) => (asked.push(after), branch),
    enter: async (command: string) => {
      asked.push(command);
      if (command === 'fly') throw new CannotServe('nothing flies.', 'See `list`.');
      return branch;
    },
  };
  const view = await ViewServer.open(PAGE, exhibit('first'), { branches });
  onTestFinished(() => view.close());
  return { view, asked };
}

test('executes a branch as a client with the token asks, and says what is wrong', async () => {
  const { view, asked } = await branching();
  const post = (path: string, token?: string): Promise<Response> => fetch(at(view, path, token), { method: 'POST' });
  expect(await (await post('/branch?after=8')).json()).toEqual(branch);
  expect(await (await post('/branch?command=crash%20a')).json()).toEqual(branch);
  const wrong = await post('/branch?command=fly');
  expect([wrong.status, await wrong.json()]).toEqual([400, { problem: 'nothing flies. See `list`.' }]);
  expect(asked).toEqual([8, 'crash a', 'fly']);
  expect((await post('/branch?after=8', 'wrong')).status).toBe(403);
  expect((await fetch(at(view, '/branch?after=8'))).status).toBe(405);
  expect(asked).toHaveLength(3);
});

test('executes nothing if it has no branches', async () => {
  const view = await served();
  expect((await fetch(at(view, '/branch?after=8'), { method: 'POST' })).status).toBe(405);
  expect((await fetch(at(view, '/branch?after=8'))).status).toBe(404);
});

test('tells what is new when it is there, and no sooner', async () => {
  const view = await served();
  let isAnswered = false;
  const next = fetch(at(view, '/exhibit?after=1')).then((response) => {
    isAnswered = true;
    return response.json();
  });
  await fetch(at(view, '/exhibit'));
  expect(isAnswered).toBe(false);
  view.show(exhibit('second'));
  expect(await next).toMatchObject({ title: 'second', version: 2 });
  expect(await (await fetch(at(view, '/exhibit?after=1'))).json()).toMatchObject({ title: 'second' });
});

test.each([true, false])('waits until pages have the last version; one is open: %j', async (isThere) => {
  const view = await ViewServer.open(PAGE, exhibit('first'));
  if (isThere) await fetch(at(view, '/exhibit'));
  view.show(exhibit('last'));
  const ended = view.untilReceived().then(() => view.close());
  expect(await (await fetch(at(view, '/exhibit?after=1'))).json()).toMatchObject({ title: 'last' });
  await ended;
  await expect(fetch(view.url)).rejects.toThrow('fetch failed');
});

test('says so where somebody else has the port', async () => {
  const { port } = new URL((await served()).url);
  const error: unknown = await ViewServer.open(PAGE, exhibit('other'), { port: Number(port) }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CannotServe);
  expect(error).toMatchObject({ message: `port ${port} is not available: it is in use.` });
});

test('refuses what is too large for a page, as an export does, and keeps showing the last version', async () => {
  // Written as JSON, it has more characters than a text can have.
  const title = { toJSON: () => 'x'.repeat(2 ** 30) } as unknown as string;
  const tooLarge = { ...exhibit('large'), title };
  const sentence = 'the trace is too large for html: the text would have more than 500 million characters.';
  await expect(ViewServer.open(PAGE, tooLarge)).rejects.toThrow(
    new TooLarge('html', 'the text would have more than 500 million characters'),
  );
  const view = await served();
  expect(() => view.show(tooLarge)).toThrow(sentence);
  expect(await (await fetch(at(view, '/exhibit'))).json()).toEqual({ ...exhibit('first'), version: 1 });
});
