/** A line of a stack: a call, and where it is. */
const FRAME = /^ +at /;

/** A frame that names a file, and none of Node. */
const IN_FILE = /(?:file:\/\/|\/|[A-Za-z]:[\\/]).*:\d+:\d+\)?$/;
const OF_NODE = /[( ]node:/;

/** A stack with the frames of the user's code alone: those of culprit and Node say nothing about the system. */
export function usersFrames(stack: string): string {
  const ours = ourFolders();
  const isUsers = (frame: string): boolean =>
    IN_FILE.test(frame) && !OF_NODE.test(frame) && !ours.some((folder) => frame.includes(folder));
  return stack
    .split('\n')
    .filter((line) => !FRAME.test(line) || isUsers(line))
    .join('\n');
}

/** The built code of culprit, and its sources, which source maps name. */
function ourFolders(): string[] {
  const [, root] = /^file:\/\/(.*\/)(?:src|dist)\//.exec(import.meta.url) ?? [];
  return root === undefined ? [] : [`${root}src/`, `${root}dist/`];
}
