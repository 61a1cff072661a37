import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProcessTopology, Trace } from 'culprit/trace';
import lock from '../../cases/lock/lock.system.ts';
import { found } from '../found.ts';
import { here, openTrace, press, withBrowser } from './browser.ts';
import learning from './learning.system.ts';
import { keepPicture } from './pictures.ts';
import moving from './moving.system.ts';
import tree from './tree.system.ts';

withBrowser();

let trace: Trace;
beforeAll(async () => {
  trace = await found(learning, { executions: 1 });
});

/** The number of the event with these words. */
const eventWith = (words: RegExp, from = trace): number =>
  from.events.findIndex(({ label = '', messageName, kind }) => words.test(`${kind} ${messageName ?? label}`)) + 1;

const at = (words: RegExp): string => `#${eventWith(words)}`;

const flat = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
const flows = async (page: Page): Promise<string[]> => flat(await page.locator('.flows li').allInnerTexts());
const path = async (page: Page): Promise<string[]> => flat(await page.locator('.path li').allInnerTexts());
const spoken = (page: Page): Promise<string | null> => page.locator('.canvas svg').getAttribute('aria-label');
const chosen = (page: Page): Promise<string> => page.locator('.node-choice select option:checked').innerText();
const count = (page: Page, what: string): Promise<number> => page.locator(`.canvas ${what}`).count();

describe('the topology at the cursor', () => {
  test('has nodes, links with ports, stations and channels', async () => {
    const page = await openTrace(trace, at(/deliver packet_in/));
    expect(flat(await page.locator('.canvas .node text').allTextContents())).toEqual(['s1', 's2', 's3']);
    expect(flat(await page.locator('.canvas .station text').allTextContents())).toEqual(['h1', 'h2', 'h3']);
    expect(flat(await page.locator('.canvas .controller text').allTextContents())).toEqual(['c1']);
    expect(await count(page, '.edge:not(.channel)')).toBe(2);
    expect(await count(page, '.edge.channel')).toBe(3);
    expect(await page.locator('.canvas .edge text').allTextContents()).toEqual(['2', '1', '2', '1']);
    await keepPicture(page, 'topology');
  });

  test('follows the cursor: what has not started is pale, what acts is marked', async () => {
    const page = await openTrace(trace, '#1');
    expect(trace.events.slice(0, 4).map(({ kind }) => kind)).toEqual(['start', 'start', 'start', 'start']);
    expect(await count(page, '.absent')).toBe(3);
    await press(page, 'ArrowDown');
    expect(await page.locator('.canvas .here text').textContent()).toBe(trace.events[1]?.process);
  });

  test('shows links and channels that are cut, from the cut on', async () => {
    const cuts = trace.events.flatMap(({ kind, event }) => (kind === 'cut' ? [event] : []));
    expect(cuts).toHaveLength(2);
    const page = await openTrace(trace, `#${(cuts[0] as number) - 1}`);
    expect(await count(page, '.edge.cut')).toBe(0);
    await press(page, 'ArrowDown');
    expect(await count(page, '.edge.cut:not(.channel)')).toBe(1);
    expect(await spoken(page)).toContain('cut: s2 to s3;');
    await press(page, 'ArrowDown');
    expect(await count(page, '.edge.cut.channel')).toBe(1);
    expect(await count(page, '.edge.cut .cross')).toBe(2);
    expect(await spoken(page)).toContain('cut: s2 to s3, c1 to s3;');
    expect(await spoken(page)).toContain('stations: h1 at s1, h2 at s2, h3 at s3');
  });

  test('is hidden and shown by a key and a button', async () => {
    const page = await openTrace(trace);
    expect(await page.locator('.topology').count()).toBe(1);
    await press(page, 't');
    expect(await page.locator('.topology').count()).toBe(0);
    await page.getByRole('button', { name: 'Topology' }).click();
    expect(await page.locator('.topology').count()).toBe(1);
  });

  test('is not there for a system without one', async () => {
    const page = await openTrace(await found(lock));
    expect(await page.locator('.topology').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Topology' }).count()).toBe(0);
  });
});

describe('the flow table', () => {
  test('is that of the switch at the cursor, with the entry that the event adds', async () => {
    const added = eventWith(/deliver flow_mod \(port 1, dl_dst h3 → output 2/);
    const page = await openTrace(trace, `#${added}`);
    await page.waitForSelector('.flows');
    expect(await chosen(page)).toBe('s2 (at the cursor)');
    expect(await flows(page)).toEqual([
      'port 2, dl_dst h1 → output 1',
      '+ port 1, dl_dst h3 → output 2 matches the packet',
    ]);
    await press(page, 'ArrowUp');
    await press(page, 'ArrowUp');
    expect(await here(page)).toContain('s2 gets frame');
    expect(await flows(page)).toEqual(['port 2, dl_dst h1 → output 1']);
    expect(await page.locator('.topology .ports li').allInnerTexts()).toEqual(['1 → s1.2', '2 → s3.1', '3 → h2']);
  });

  test('marks the entry that the packet matches', async () => {
    const page = await openTrace(trace, `#${trace.events.length - 1}`);
    expect(await here(page)).toContain('s1 gets frame');
    expect(await flows(page)).toEqual([
      'port 2, dl_dst h1 → output 3',
      'port 3, dl_dst h3 → output 2 matches the packet',
    ]);
  });

  test('is beside the diagram in a wide window, and below it in others', async () => {
    for (const [width, isBeside] of [
      [1800, true],
      [1280, false],
      [800, false],
    ] as const) {
      const page = await openTrace(trace, '', { viewport: { width, height: 900 } });
      const [sheet, topology] = [
        await page.locator('.left .scroller').boundingBox(),
        await page.locator('.topology').boundingBox(),
      ];
      expect([width, (topology?.x ?? 0) > (sheet?.x ?? 0), (topology?.y ?? 0) > (sheet?.y ?? 0)]).toEqual([
        width,
        isBeside,
        !isBeside,
      ]);
      expect((topology?.x ?? 0) + (topology?.width ?? 0)).toBeLessThanOrEqual(width);
      await keepPicture(page, `topology-${width}`);
    }
  });

  test('of another switch is chosen by a click, or without a mouse', async () => {
    const page = await openTrace(trace);
    await page.locator('.canvas .node', { hasText: 's3' }).click();
    expect(await chosen(page)).toBe('s3');
    expect(await flows(page)).toEqual(['port 3, dl_dst h1 → output 1', 'port 1, dl_dst h3 → output 3']);
    // It stays while the cursor moves, and a second click lets it follow the cursor again.
    await press(page, 'Home', 'ArrowDown');
    expect(await chosen(page)).toBe('s3');
    await page.locator('.canvas .node', { hasText: 's3' }).click();
    expect(await chosen(page)).toMatch(/\(at the cursor\)$/);
    await page.getByRole('combobox', { name: 'Node' }).selectOption('s1');
    await press(page, 'End');
    expect(await chosen(page)).toBe('s1');
  });
});

describe('the path of a packet', () => {
  const whole = ['h1 → s1', 's1 → c1', 'c1 → s1', 's1 → s2', 's2 → c1', 'c1 → s2', 's2 → s3', 's3 → c1', 'c1 → s3'];

  test('is drawn and listed from its station on, before and after the cursor', async () => {
    const event = eventWith(/deliver flow_mod \(port 1, dl_dst h3 → output 2/);
    const page = await openTrace(trace, `#${event}`);
    const hops = await path(page);
    expect(hops.map((text) => text.replace(/^\d+ /, ''))).toEqual(whole);
    expect([await count(page, '.hop.past'), await count(page, '.hop.self'), await count(page, '.hop.future')]).toEqual([
      5, 1, 3,
    ]);
    await keepPicture(page, 'topology-path');
    // Each hop leads to its event.
    await page.locator('.path button').first().click();
    expect(await here(page)).toMatch(/ s1 gets frame h1 → h3/);
    expect((await path(page)).map((text) => text.replace(/^\d+ /, ''))).toEqual(whole);
  });

  test('ends where the packet is lost', async () => {
    const page = await openTrace(trace, '', { colorScheme: 'dark' });
    expect((await path(page)).map((text) => text.replace(/^\d+ /, ''))).toEqual([
      'h1 → s1',
      's1 → s2',
      's2 → s3, lost',
    ]);
    expect(await count(page, '.hop.lost')).toBe(1);
    await keepPicture(page, 'topology-dark');
  });

  test('is not there for another message, whose own way is drawn', async () => {
    const page = await openTrace(trace, at(/deliver hello/));
    expect(await page.locator('.path').count()).toBe(0);
    expect(await count(page, '.hop.self')).toBe(1);
  });
});

describe('a station that moves', () => {
  let moved: Trace;
  beforeAll(async () => {
    moved = await found(moving, { executions: 1 });
  });

  test('is drawn where it is, or nowhere while it is on its way', async () => {
    const page = await openTrace(moved, '#1');
    expect(await spoken(page)).toContain('stations: h1 at s1, h2 at s2');
    await page.goto(`${page.url().split('#')[0]}#${eventWith(/deliver detach/, moved)}`);
    await expect.poll(() => spoken(page)).toMatch(/stations: h2 at s2$/);
    expect(await count(page, '.station')).toBe(1);
    await page.goto(`${page.url().split('#')[0]}#${eventWith(/deliver attach/, moved)}`);
    await expect.poll(() => spoken(page)).toContain('stations: h1 at s2, h2 at s2');
  });

  test('is where a packet ends that reaches it; a copy is still under way', async () => {
    const page = await openTrace(moved);
    const last = moved.events.length;
    expect((await path(page)).slice(-3)).toEqual([
      `${last} c1 → s2`,
      `${last} s2 → h1`,
      `${last} s2 → s1, still under way`,
    ]);
    expect(await page.locator('.topology .ports li').allInnerTexts()).toEqual(['1 → s1.1', '2 → h2', '3 → h1']);
    await keepPicture(page, 'topology-moved');
  });
});

describe('a fat tree of 500 switches', () => {
  let large: Trace;
  beforeAll(async () => {
    large = await found(tree, { executions: 1, eventsMax: 5_000 });
  });

  test('is folded to the switches that the packet visits, in layers', async () => {
    expect(large.header.topology?.nodes).toHaveLength(500);
    const page = await openTrace(large);
    const names = ['edge-0-0', 'edge-1-0', 'agg-0-0', 'agg-1-0', 'core-0'];
    expect(new Set(await page.locator('.canvas .node text').allTextContents())).toEqual(new Set(names));
    const height = async (name: string): Promise<number> =>
      (await page.locator('.canvas .node', { hasText: name }).boundingBox())?.y ?? 0;
    const [edge, aggregation, core] = [await height('edge-0-0'), await height('agg-0-0'), await height('core-0')];
    expect(core).toBeLessThan(aggregation);
    expect(aggregation).toBeLessThan(edge);
    expect(await page.locator('.folded-away').innerText()).toBe(
      'and 495 other nodes, 3,996 links and 1,980 stations, not drawn',
    );
    expect((await path(page)).map((text) => text.replace(/^\d+ /, '')).filter((text) => !text.includes('c1'))).toEqual([
      'h1 → edge-0-0',
      'edge-0-0 → agg-0-0',
      'agg-0-0 → core-0',
      'core-0 → agg-1-0',
      'agg-1-0 → edge-1-0',
    ]);
    expect(await page.locator('.topology *').count()).toBeLessThan(400);
    await keepPicture(page, 'topology-folded');
  });

  test('up to 60 nodes are drawn', async () => {
    const nodes = Array.from({ length: 60 }, (_, nth) => `s${nth + 1}`);
    const ends = nodes.map((process) => ({ process }));
    const links = ends
      .slice(1)
      .map((end, nth): ProcessTopology['links'][number] => ({ ends: [ends[nth] ?? end, end] }));
    const header = { ...trace.header, topology: { ...trace.header.topology, nodes, links } };
    const page = await openTrace({ ...trace, header });
    expect(await count(page, '.node')).toBe(60);
    await keepPicture(page, 'topology-sixty');
  });
});

test('in a narrow window list, topology and panel have room', async () => {
  const page = await openTrace(trace, '', { viewport: { width: 700, height: 900 } });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(700);
  const heights = await Promise.all(
    ['.scroller', '.topology', '.panel'].map(async (part) => (await page.locator(part).boundingBox())?.height ?? 0),
  );
  for (const height of heights) expect(height).toBeGreaterThan(120);
  await keepPicture(page, 'topology-narrow');
});
