import * as v from 'valibot';
import { BadHistory } from './bad-history.ts';

const name = v.pipe(v.union([v.string(), v.number()]), v.transform(String));

const lineSchema = v.object({
  process: name,
  type: v.picklist(['invoke', 'ok', 'fail', 'info']),
  f: v.optional(v.string()),
  key: v.optional(name),
  value: v.optional(v.unknown()),
});

/** One event of a history: see `readHistory`. */
export type HistoryLine = v.InferOutput<typeof lineSchema>;

/** `where` is the file and the line, for messages. */
export function parseLine(text: string, where: string): HistoryLine {
  const result = v.safeParse(lineSchema, parseJson(text, where));
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  throw new BadHistory(`${where}${path === null ? '' : `, ${path}`}: ${issue.message}.`, FORMAT);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadHistory(`${where} is not JSON: ${why}.`, FORMAT, { cause: error });
  }
}

const FORMAT =
  'A line is an object such as {"process":"c1","type":"invoke","f":"write","key":"x","value":1}; its type is invoke, ok, fail or info.';
