import { writeFileSync } from 'node:fs';
import { traceSchemaText } from './trace-schema.ts';

/** Writes the published schema: run it after a change of the format. */
writeFileSync(new URL('../../schema/trace-1.json', import.meta.url), traceSchemaText());
