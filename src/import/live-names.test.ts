import { readFileSync } from 'node:fs';
import { readTrace } from 'culprit/trace';
import { expect, test } from 'vitest';
import { eventOf } from '../trace/codec.ts';
import { hex } from '../trace/digest.ts';
import { namesOf } from './live-names.ts';

test.each(['testcontroller-migration', 'testcontroller-storm', 'os-ken-migration'])(
  'the events of a session with a real controller get the names that they had: %s',
  (name) => {
    const path = new URL(`../../cases/controllers/best/${name}.trace`, import.meta.url);
    const events = readTrace(readFileSync(path, 'utf8'), path.pathname).events.map(eventOf);
    expect(namesOf(events)).toEqual(events.map(hex));
  },
);
