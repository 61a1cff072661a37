import { writeFileSync } from 'node:fs';
import { reportSchemaText } from './report-schema.ts';
import { traceSchemaText } from './trace-schema.ts';

/** Writes the published schemas: run it after a change of a format. */
writeFileSync(new URL('../../schema/trace-1.json', import.meta.url), traceSchemaText());
writeFileSync(new URL('../../schema/report-1.json', import.meta.url), reportSchemaText());
