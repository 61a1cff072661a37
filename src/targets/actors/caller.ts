import { fileURLToPath } from 'node:url';

/**
 * The file of the code that called our caller, where the stack says it: so that a trace of a system that is hunted from
 * a test can name the module to replay it with. Undefined is no harm: the module can be given.
 */
export function fileOfCaller(): string | undefined {
  const frame = new Error('where').stack?.split('\n')[3];
  // `at name (place:1:2)` or `at place:1:2`. A folder may have parentheses in its name too.
  const place = /(?:^ *at (?:async )?|\()((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):\d+:\d+\)?$/.exec(frame ?? '')?.[1];
  return place?.startsWith('file://') === true ? fileURLToPath(place) : place;
}
