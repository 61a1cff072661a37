import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { writeTrace } from 'culprit/trace';
import { found } from '../../test/found.ts';
import everything from '../../test/trace/everything.system.ts';
import { traceSchemaText } from './trace-schema.ts';

const published = readFileSync(new URL('../../schema/trace-1.json', import.meta.url), 'utf8');

test('the published schema is equal to the schemas that read files', () => {
  // If this fails, run: npm run schema
  expect(published).toBe(traceSchemaText());
});

test('the published schema accepts every line of a trace and rejects others', async () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(published) as object);
  const trace = await found(everything, { eventsMax: 2_000 });
  const lines = writeTrace(trace).trimEnd().split('\n');
  expect(lines.filter((line) => !validate(JSON.parse(line)))).toEqual([]);
  expect(validate({ ...trace.header, trace: 'other' })).toBe(false);
  expect(validate({ ...trace.events[0], kind: 'explode' })).toBe(false);
  expect(validate({ ...trace.events[0], id: 'zz' })).toBe(false);
  expect(validate({ ...trace.events[0], color: 'red' })).toBe(false);
});
