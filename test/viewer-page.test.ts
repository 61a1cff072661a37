import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exhibitOf, exportTrace, sentenceOf, stepsOf, viewerPage } from 'culprit/report';
import type { Exhibit } from 'culprit/trace';
import lock from '../cases/lock/lock.system.ts';
import { found } from './found.ts';

const locked = await found(lock);
const html = exportTrace(locked, 'html');
const part = (page: string, pattern: RegExp): string => pattern.exec(page)?.[1] ?? '';
const exhibitIn = (page: string): string => part(page, /<script id="exhibit" type="application\/json">(.*)<\/script>/);
const policyIn = (page: string): string => part(page, /http-equiv="Content-Security-Policy" content="([^"]*)"/);

describe('the page', () => {
  test('contains the execution, in the words of the story', () => {
    const exhibit = JSON.parse(exhibitIn(html)) as Exhibit;
    expect(exhibit).toEqual(JSON.parse(JSON.stringify(exhibitOf([{ file: 'system', trace: locked }]))));
    const sentences = locked.events.map(sentenceOf).map(({ what, changes }) => ({ what, changes }));
    expect(exhibit.executions.map((shown) => shown.sentences)).toMatchObject([sentences]);
    const steps = stepsOf(locked.events);
    expect(exhibit.executions[0]?.sentences.map(({ step }) => step)).toEqual(
      locked.events.map(({ event }) => steps.findIndex(({ first, last }) => first <= event && event <= last)),
    );
    expect(exhibit.executions[0]?.trace).toEqual(JSON.parse(JSON.stringify(locked)));
  });

  test('allows no script, request or link but its own script and style', () => {
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const script = part(html, /<script>([^]*)<\/script>/);
    const style = part(html, /<style>([^]*)<\/style>/);
    expect(policyIn(html).split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      "connect-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  test('without an exhibit may request it from its own server, and from no other', () => {
    const empty = viewerPage();
    expect(exhibitIn(empty)).toBe('');
    expect(policyIn(empty)).toContain("connect-src 'self'");
    expect(empty.length).toBeLessThan(155_000);
  });

  test('treats data as data', () => {
    const odd = '</script><!--\u2028\u2029__EXHIBIT__ __CONNECT__ $& $1';
    const exhibit: Exhibit = { ...exhibitOf([{ file: odd, trace: locked }]), title: odd };
    const page = viewerPage(exhibit);
    expect(JSON.parse(exhibitIn(page))).toEqual(JSON.parse(JSON.stringify(exhibit)));
    expect(exhibitIn(page)).not.toMatch(/[<\u2028\u2029]/);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
  });

  test('has the violation in its title', () => {
    expect(exhibitOf([{ file: 'x', trace: locked }]).title).toBe('system: mutualExclusion');
    const held = {
      ...locked,
      verdict: { verdict: 'holds' as const, name: locked.verdict.name, ending: 'finished' as const },
    };
    const both = [locked, held].map((trace) => ({ file: 'x', trace }));
    expect(exhibitOf(both).title).toBe('system: mutualExclusion · system: holds');
  });
});
