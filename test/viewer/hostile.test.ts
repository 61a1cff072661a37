import { describe, expect, test } from 'vitest';
import { behavior, defineSystem, search } from 'culprit';
import { exhibitOf, viewerPage } from 'culprit/report';
import type { Exhibit, Trace } from 'culprit/trace';
import { blank, press, withBrowser, written } from './browser.ts';

withBrowser();

const script = '</script><script>window.ran = true; alert(1)</script>';
const evil = [
  script,
  '<img src=x onerror="window.ran = true; alert(2)">',
  '<!-- <script>',
  ']]>\u2028\u2029</style><style>*{display:none}</style>',
  'javascript:alert(3)',
  '"\'`${window.ran = true}&lt;&#60;',
  '__EXHIBIT____CONNECT__$&$1',
  '__proto__',
  'constructor',
  `${'very long '.repeat(5_000)}`,
  '\u202E right to left \u0000 and a zero',
  '\u001b[31m\u0007two\nlines\u009b',
  '<a href="https://example.com">',
];

/** Every text of the file could be mistaken for markup. */
async function hostile(): Promise<Trace> {
  const names = evil.filter((name) => name.length < 1_000 && name !== '__proto__');
  const node = behavior<{ [field: string]: unknown }, { type: string; [field: string]: unknown }>({
    start(ctx) {
      ctx.log(script);
      for (const peer of ctx.peers.slice(0, 2)) for (const type of evil) ctx.send(peer, { type, [type]: type });
      ctx.setTimer(script, 1);
      return Object.fromEntries(evil.slice(0, 6).map((text) => [text, text]));
    },
    async receive(state, message, ctx) {
      if (message.type !== '__proto__') state[message.type] = new Map([[message.type, message]]);
      await ctx.disk.write(message.type, message.type);
    },
  });
  const system = defineSystem({
    name: script,
    processes: Object.fromEntries(names.map((name) => [name, node])),
    invariants: {
      [script]: (world) =>
        world.length < 120 || {
          message: script,
          processes: names,
          values: Object.fromEntries(evil.map((text) => [text, text])),
        },
    },
  });
  const { findings } = await search(system, { executions: 1, eventsMax: 200 });
  const trace = findings[0]?.trace;
  if (trace === undefined) throw new Error('nothing was found');
  return trace;
}

/** A topology whose names are such texts, too. */
function withTopology(found: Trace): Trace {
  const [controller = '', ...nodes] = evil.filter((name) => found.events.some(({ process }) => process === name));
  const ends = nodes.map((process, port) => ({ process, port }));
  const links = ends
    .slice(1)
    .map((end, at) => ({ ends: [ends[at] ?? end, end] as [typeof end, typeof end], lane: script }));
  const stations = evil.map((name, at) => ({
    ...(ends[at % ends.length] ?? { process: '' }),
    name,
    addresses: [name],
  }));
  return { ...found, header: { ...found.header, topology: { nodes, links, stations, controllers: [controller] } } };
}

const trace = withTopology(await hostile());
const alternative = { change: 'without', event: 3, outcome: 'holds', absent: [], what: script } as const;
const exhibit: Exhibit = {
  ...exhibitOf([{ file: script, trace }], {
    why: {
      oracle: script,
      answer: script,
      counterfactuals: [alternative],
      race: alternative,
      odds: [{ after: 2, violated: 1, other: 0, unknown: 0, sampled: 2 }],
      sampling: { continuations: 2, seed: 0, how: script },
      noReturn: 2,
      limits: [script],
    },
  }),
  title: script,
};

describe('a file from an unknown source', () => {
  test('is embedded as data that cannot escape, and is read back unchanged', async () => {
    const html = viewerPage(exhibit);
    expect(html.match(/<\/?script/g)).toHaveLength(4);
    const { page } = await blank();
    await page.goto(written(html));
    const read = await page.evaluate('document.getElementById("exhibit").textContent');
    expect(JSON.parse(read as string)).toEqual(JSON.parse(JSON.stringify(exhibit)));
  });

  test('runs nothing, requests nothing, opens nothing, and is shown literally', async () => {
    const { page, watched } = await blank();
    const address = written(viewerPage(exhibit));
    await page.goto(address);
    await page.waitForSelector('.row');
    await press(
      page,
      'Home',
      'ArrowDown',
      'ArrowDown',
      'End',
      'ArrowUp',
      'f',
      'c',
      'c',
      'n',
      'p',
      't',
      't',
      '?',
      'Escape',
    );
    await page.getByText('Filter').click();
    await page.getByText('Raw data').click();
    await page.locator('.race').click();
    expect(await page.locator('.topology .node').count()).toBeGreaterThan(8);
    await page.locator('.topology select').selectOption({ index: 2 });
    await page.locator('.topology .node').first().click();
    await page.getByRole('searchbox').fill('<img');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
    expect(watched).toEqual({ requests: [address], dialogs: [], problems: [] });
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.title()).toBe(script);
    expect(await page.locator('h1').innerText()).toBe(script);
    expect(await page.locator('a, img, iframe, object, embed, link, form:not([method=dialog])').count()).toBe(0);
    expect(await page.locator('[href], [src], [srcdoc], [action]').count()).toBe(0);
    expect(await page.locator('.row .who').allInnerTexts()).toContain('javascript:alert(3)');
    expect(await page.locator('html').innerText()).toContain(String.raw`\x1b[31m`);
    const controls = String.raw`document.getElementById('page').innerHTML.match(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/g)`;
    expect(await page.evaluate(controls)).toBeNull();
  });

  test('with very long texts keeps its rows in their places', async () => {
    const { page } = await blank();
    await page.goto(written(viewerPage(exhibit)));
    await page.waitForSelector('.row');
    const places = await page.evaluate<[top: number, bottom: number][]>(
      `[...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])`,
    );
    expect(places.length).toBeGreaterThan(10);
    expect(places.slice(1).map(([top]) => Math.round(top))).toEqual(
      places.slice(0, -1).map(([, bottom]) => Math.round(bottom)),
    );
    expect(Math.max(...places.map(([top, bottom]) => bottom - top))).toBeLessThan(400);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });

  test('the policy of the page allows no other script, even one that is injected', async () => {
    const { page, watched } = await blank();
    await page.goto(written(viewerPage(exhibit)));
    await page.waitForSelector('.row');
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }))`,
    );
    await page.evaluate(`document.body.append(Object.assign(document.createElement('img'), { src: 'x.png' }))`);
    await page.evaluate(`fetch('x.json').catch(() => 0)`);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    const refused = watched.problems.join('\n');
    for (const what of ['inline script', 'the image', 'x.json']) expect(refused.toLowerCase()).toContain(what);
  });
});
