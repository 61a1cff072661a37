/**
 * The file of the code that called our caller, where the stack says it: so that a trace of a system that is hunted from
 * a test can name the module to replay it with. Undefined is no harm: the module can be given.
 */
export function fileOfCaller(): string | undefined {
  const frame = new Error('where').stack?.split('\n')[3];
  const path = /(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/])[^()]*?):\d+:\d+\)?$/.exec(frame ?? '')?.[1];
  return path === undefined ? undefined : decodeURIComponent(path);
}
