import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { culprit, makeFolder, removeFolder } from '../../test/cli/culprit.ts';
import { reportSchemaText } from './report-schema.ts';

const published = readFileSync(new URL('../../schema/report-1.json', import.meta.url), 'utf8');
const validate = new Ajv({ strict: false }).compile(JSON.parse(published) as object);

test('the published schema is the one of the reports', () => {
  // If this fails, run: npm run schema
  expect(published).toBe(reportSchemaText());
});

let folder = '';
const lock = 'lock.system.ts';

beforeAll(() => {
  folder = makeFolder();
  culprit(folder, 'hunt', lock, '--no-why');
});
afterAll(() => removeFolder(folder));

const network = fileURLToPath(new URL('../../cases/learning-switch/best/keeps.trace', import.meta.url));
const trace = '.culprit/mutual-exclusion-8dfc.trace';

test.each([
  ['hunt', lock],
  ['hunt', lock, '--set', 'checksOwner=true', '--executions', '20'],
  ['check', lock, '--executions', '5'],
  ['replay', trace],
  ['replay'],
  ['minimize', trace],
  ['explain', trace],
  ['diff', trace, '.culprit/mutual-exclusion-8dfc.min.trace'],
  ['doctor', lock, '--executions', '5'],
  ['clean', '--list'],
  ['network', network],
])('%s %s prints a report that the schema accepts', (command, ...args) => {
  const { out } = culprit(folder, command, ...args, '--json');
  const report = JSON.parse(out) as object;
  expect(report).toMatchObject({ report: command, format: '1.0' });
  expect({ isValid: validate(report), errors: validate.errors }).toEqual({ isValid: true, errors: null });
});

test('the schema rejects a report without its version, and one with a field of another kind', () => {
  const report = JSON.parse(culprit(folder, 'clean', '--list', '--json').out) as object;
  expect(validate({ ...report, format: undefined })).toBe(false);
  expect(validate({ ...report, format: '2.0' })).toBe(false);
  expect(validate({ ...report, found: 'none' })).toBe(false);
  expect(validate({ ...report, news: 1 })).toBe(true);
});
