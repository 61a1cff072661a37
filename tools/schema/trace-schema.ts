import { toJsonSchema } from '@valibot/to-json-schema';
import { lineSchema } from '../../src/trace/format.ts';

/**
 * The JSON Schema of one line of a trace file, derived from the schemas that read the file. It does not cover the marks
 * within plain data, which the reader checks as well.
 */
export function traceSchemaText(): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'One line of a culprit trace file, format 1',
    description: 'First the header, then one line for each event, then what was still pending, then the verdict.',
    ...toJsonSchema(lineSchema, { target: 'draft-07', ignoreActions: ['raw_check'] }),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
